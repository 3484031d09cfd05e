# finding: not-indices
def new_enough(capabilities, needed):
    least = tuple(map(int, needed.split(".")))
    return [c >= least for c in capabilities]
