# finding: best-from-one-run
from statistics import median


def best_settings(measure, candidates, tolerance):
    times = {c: [] for c in candidates}
    for _ in range(3):
        for c in candidates:
            times[c].append(measure(c))
    best = min(min(t) for t in times.values())
    good = [c for c in candidates if median(times[c]) <= (1 + tolerance) * best]
    return min(good) if good else min(candidates, key=lambda c: median(times[c]))
