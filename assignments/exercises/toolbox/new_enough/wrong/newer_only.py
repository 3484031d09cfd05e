# finding: equal-left-out
def new_enough(capabilities, needed):
    least = tuple(map(int, needed.split(".")))
    return [i for i, c in enumerate(capabilities) if c > least]
