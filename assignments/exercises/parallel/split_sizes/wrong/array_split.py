# finding: spread-evenly
import numpy as np


def split_sizes(shape, gpus, dim):
    return [len(part) for part in np.array_split(np.arange(shape[dim]), gpus)]
