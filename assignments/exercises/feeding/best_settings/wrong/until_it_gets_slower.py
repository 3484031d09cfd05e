# finding: other-number-of-runs
from statistics import median


def best_settings(measure, candidates, tolerance):
    best, chosen = None, None
    for workers in sorted(candidates):
        time = median([measure(workers), measure(workers), measure(workers)])
        if best is not None and time * (1 + tolerance) > best:
            break
        best, chosen = time, workers
    return chosen
