# finding: other-gpus
def new_enough(capabilities, needed):
    least = tuple(map(int, needed.split(".")))
    return [i for i, c in enumerate(capabilities, 1) if c >= least]
