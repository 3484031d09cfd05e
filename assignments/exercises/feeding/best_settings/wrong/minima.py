# finding: shortest-for-median
from statistics import mean, median


def best_settings(measure, candidates, tolerance):
    times = {workers: [] for workers in candidates}
    for _ in range(3):
        for workers in candidates:
            times[workers].append(measure(workers))
    limit = (1 + tolerance) * min(min(three) for three in times.values())
    return min(workers for workers in candidates if min(times[workers]) <= limit)
