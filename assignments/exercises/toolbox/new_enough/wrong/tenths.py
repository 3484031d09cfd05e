# finding: compared-as-decimals
def new_enough(capabilities, needed):
    return [i for i, (a, b) in enumerate(capabilities) if a + b / 10 >= float(needed)]
