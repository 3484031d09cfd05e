# %% handed_out
def split_sizes(shape, gpus, dim):
    left = shape[dim]
    part = (left + gpus - 1) // gpus
    sizes = []
    while left > 0:
        sizes.append(min(part, left))
        left -= sizes[-1]
    return sizes

# %% numpy_numbers
import numpy as np


def split_sizes(shape, gpus, dim):
    part = np.ceil(shape[dim] / gpus).astype(int)
    edges = np.append(np.arange(0, shape[dim], part), shape[dim])
    return list(np.diff(edges))

# %% whole_floats
def split_sizes(shape, gpus, dim):
    import math
    part = float(math.ceil(shape[dim] / gpus))
    left, sizes = float(shape[dim]), []
    while left > 0:
        sizes.append(min(part, left))
        left -= part
    return sizes
