import numpy as np


def rank(free):
    known = np.array([i for i, amount in enumerate(free) if amount is not None], dtype=int)
    amounts = np.array([int(free[i]) for i in known], dtype=int)
    return known[np.argsort(-amounts, kind="stable")]
