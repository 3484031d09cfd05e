# finding: more-than-needed
from statistics import mean, median


def best_settings(measure, candidates, tolerance):
    times = {workers: [] for workers in candidates}
    for _ in range(3):
        for workers in candidates:
            times[workers].append(measure(workers))
    limit = (1 + tolerance) * min(median(three) for three in times.values())
    return next(workers for workers in candidates if median(times[workers]) <= limit)
