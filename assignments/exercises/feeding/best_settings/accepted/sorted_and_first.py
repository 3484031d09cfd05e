import random


def best_settings(measure, candidates, tolerance):
    times = {}
    for _ in range(3):
        # In a random order in each round, so that not even the round has a favourite.
        for workers in random.sample(candidates, len(candidates)):
            times.setdefault(workers, []).append(measure(workers))
    middle = {workers: sorted(three)[1] for workers, three in times.items()}
    best = min(middle.values())
    for workers in sorted(candidates):
        if middle[workers] - best <= tolerance * best:
            return workers
