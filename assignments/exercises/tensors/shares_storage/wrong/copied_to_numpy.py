# finding: copies-compared
import numpy as np


def shares_storage(a, b):
    return np.shares_memory(a.cpu().numpy(), b.cpu().numpy())
