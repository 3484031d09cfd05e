# finding: other-gpus
def new_enough(capabilities, needed):
    least = tuple(map(int, needed.split(".")))
    return [i for i in reversed(range(len(capabilities))) if capabilities[i] >= least]
