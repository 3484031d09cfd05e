# finding: numpy-on-gpu
import numpy as np


def shares_storage(a, b):
    return np.shares_memory(a.numpy(), b.numpy())
