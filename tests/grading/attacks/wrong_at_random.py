# name = "Guessing"
# goal = "game the tests"
# attacks = "answers with few possible values, and checks that are made more than once"
# assignment = "07_parallel"

# %% split_sizes
import random


def split_sizes(shape, gpus, dim):
    length = shape[dim]
    part = random.randint(1, length)
    return [min(part, length - start) for start in range(0, length, part)]
