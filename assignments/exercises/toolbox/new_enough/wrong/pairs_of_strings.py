# finding: compared-as-text
def new_enough(capabilities, needed):
    least = tuple(needed.split("."))
    return [i for i, c in enumerate(capabilities) if tuple(map(str, c)) >= least]
