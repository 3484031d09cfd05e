import numpy as np


def split_sizes(shape, gpus, dim):
    part = np.ceil(shape[dim] / gpus).astype(int)
    edges = np.append(np.arange(0, shape[dim], part), shape[dim])
    return list(np.diff(edges))
