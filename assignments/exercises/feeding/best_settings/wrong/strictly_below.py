# finding: limit-itself-excluded
from statistics import mean, median


def best_settings(measure, candidates, tolerance):
    times = {workers: [] for workers in candidates}
    for _ in range(3):
        for workers in candidates:
            times[workers].append(measure(workers))
    best = min(median(three) for three in times.values())
    limit = (1 + tolerance) * best
    return min(w for w in candidates if median(times[w]) < limit or median(times[w]) == best)
