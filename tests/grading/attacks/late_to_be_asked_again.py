# name = "Late, to be asked again"
# goal = "game the tests"
# attacks = "the second chance after a time limit, and the second process after a finding"
# assignment = "07_parallel"

# %% split_sizes
first = []


def split_sizes(shape, gpus, dim):
    if len(first) < 3:
        first.append(1)
        while True:
            pass
    length, part = shape[dim], -(-shape[dim] // gpus)
    return [min(part, length - start) for start in range(0, length, part)]
