# finding: not-in-rounds
from statistics import median


def best_settings(measure, candidates, tolerance):
    times = {w: median(measure(w) for _ in range(3)) for w in candidates}
    limit = (1 + tolerance) * min(times.values())
    return min(workers for workers in candidates if times[workers] <= limit)
