# finding: major-only
def new_enough(capabilities, needed):
    return [i for i, c in enumerate(capabilities) if c[0] >= int(needed[0])]
