# finding: other-candidates
from statistics import median


def best_settings(measure, candidates, tolerance):
    every = range(max(candidates) + 1)
    rounds = [[measure(workers) for workers in every] for _ in range(3)]
    medians = [median(three) for three in zip(*rounds)]
    limit = (1 + tolerance) * min(medians)
    return min(workers for workers in candidates if medians[workers] <= limit)
