import numpy as np


def best_settings(measure, candidates, tolerance):
    rounds = np.array([[measure(workers) for workers in candidates] for _ in range(3)])
    medians = np.median(rounds, axis=0)
    good = np.array(candidates)[medians <= medians.min() * (1 + tolerance)]
    return good.min()
