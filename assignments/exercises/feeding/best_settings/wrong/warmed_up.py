# finding: other-number-of-runs
from statistics import median


def best_settings(measure, candidates, tolerance):
    times = {workers: [] for workers in candidates}
    for _ in range(4):
        for workers in candidates:
            times[workers].append(measure(workers))
    medians = {workers: median(four[1:]) for workers, four in times.items()}
    limit = (1 + tolerance) * min(medians.values())
    return min(workers for workers in candidates if medians[workers] <= limit)
