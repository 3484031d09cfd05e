# finding: only-the-fastest
from statistics import median


def best_settings(measure, candidates, tolerance):
    times = {workers: [] for workers in candidates}
    for _ in range(3):
        for workers in candidates:
            times[workers].append(measure(workers))
    medians = {workers: median(three) for workers, three in times.items()}
    limit = (1 + tolerance) * min(medians.values())
    return max(workers for workers in candidates if medians[workers] <= limit)
