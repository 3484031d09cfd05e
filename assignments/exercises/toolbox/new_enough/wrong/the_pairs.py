# finding: not-indices
def new_enough(capabilities, needed):
    least = tuple(map(int, needed.split(".")))
    return [c for c in capabilities if c >= least]
