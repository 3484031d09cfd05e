# %% a_dict
# finding: other-form
from statistics import mean, median


def best_settings(measure, candidates, tolerance):
    times = {workers: [] for workers in candidates}
    for _ in range(3):
        for workers in candidates:
            times[workers].append(measure(workers))
    limit = (1 + tolerance) * min(median(three) for three in times.values())
    return {"num_workers": min(w for w in candidates if median(times[w]) <= limit)}

# %% all_up_to_the_largest
# finding: other-candidates
from statistics import median


def best_settings(measure, candidates, tolerance):
    every = range(max(candidates) + 1)
    rounds = [[measure(workers) for workers in every] for _ in range(3)]
    medians = [median(three) for three in zip(*rounds)]
    limit = (1 + tolerance) * min(medians)
    return min(workers for workers in candidates if medians[workers] <= limit)

# %% fewest_workers
# finding: not-good-enough
from statistics import mean, median


def best_settings(measure, candidates, tolerance):
    times = {workers: [] for workers in candidates}
    for _ in range(3):
        for workers in candidates:
            times[workers].append(measure(workers))
    return min(candidates)

# %% first_run
# finding: mean-for-median
from statistics import mean, median


def best_settings(measure, candidates, tolerance):
    times = {workers: [] for workers in candidates}
    for _ in range(3):
        for workers in candidates:
            times[workers].append(measure(workers))
    limit = (1 + tolerance) * min(three[0] for three in times.values())
    return min(workers for workers in candidates if times[workers][0] <= limit)

# %% largest_good
# finding: more-than-needed
from statistics import median


def best_settings(measure, candidates, tolerance):
    times = {workers: [] for workers in candidates}
    for _ in range(3):
        for workers in candidates:
            times[workers].append(measure(workers))
    medians = {workers: median(three) for workers, three in times.items()}
    limit = (1 + tolerance) * min(medians.values())
    return max(workers for workers in candidates if medians[workers] <= limit)

# %% list_sorted
# finding: input-changed
from statistics import mean, median


def best_settings(measure, candidates, tolerance):
    times = {workers: [] for workers in candidates}
    for _ in range(3):
        for workers in candidates:
            times[workers].append(measure(workers))
    limit = (1 + tolerance) * min(median(three) for three in times.values())
    candidates.sort()
    return next(workers for workers in candidates if median(times[workers]) <= limit)

# %% median_of_all
# finding: other-result
from statistics import median


def best_settings(measure, candidates, tolerance):
    times = {workers: [] for workers in candidates}
    for _ in range(3):
        for workers in candidates:
            times[workers].append(measure(workers))
    limit = (1 + tolerance) * min(median(three) for three in times.values())
    # Not even the number is one of those that were measured.
    return median(workers for workers in candidates if median(times[workers]) <= limit) + 0.25

# %% minima
# finding: shortest-for-median
from statistics import mean, median


def best_settings(measure, candidates, tolerance):
    times = {workers: [] for workers in candidates}
    for _ in range(3):
        for workers in candidates:
            times[workers].append(measure(workers))
    limit = (1 + tolerance) * min(min(three) for three in times.values())
    return min(workers for workers in candidates if min(times[workers]) <= limit)

# %% printed
# finding: nothing-returned
from statistics import mean, median


def best_settings(measure, candidates, tolerance):
    times = {workers: [] for workers in candidates}
    for _ in range(3):
        for workers in candidates:
            times[workers].append(measure(workers))
    limit = (1 + tolerance) * min(median(three) for three in times.values())
    print(min(workers for workers in candidates if median(times[workers]) <= limit))

# %% shortest_run_of_all
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

# %% strictly_below
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

# %% the_index
# finding: index-returned
from statistics import mean, median


def best_settings(measure, candidates, tolerance):
    times = {workers: [] for workers in candidates}
    for _ in range(3):
        for workers in candidates:
            times[workers].append(measure(workers))
    limit = (1 + tolerance) * min(median(three) for three in times.values())
    good = [workers for workers in candidates if median(times[workers]) <= limit]
    return candidates.index(min(good))

# %% the_time
# finding: time-returned
from statistics import mean, median


def best_settings(measure, candidates, tolerance):
    times = {workers: [] for workers in candidates}
    for _ in range(3):
        for workers in candidates:
            times[workers].append(measure(workers))
    return min(median(three) for three in times.values())

# %% tolerance_in_ms
# finding: only-the-fastest
from statistics import mean, median


def best_settings(measure, candidates, tolerance):
    times = {workers: [] for workers in candidates}
    for _ in range(3):
        for workers in candidates:
            times[workers].append(measure(workers))
    limit = tolerance + min(median(three) for three in times.values())
    return min(workers for workers in candidates if median(times[workers]) <= limit)

# %% tolerance_of_the_slowest
# finding: not-good-enough
from statistics import mean, median


def best_settings(measure, candidates, tolerance):
    times = {workers: [] for workers in candidates}
    for _ in range(3):
        for workers in candidates:
            times[workers].append(measure(workers))
    limit = (1 - tolerance) * max(median(three) for three in times.values())
    return min((w for w in candidates if median(times[w]) <= limit), default=candidates[0])

# %% until_it_gets_slower
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

# %% warmed_up
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

# %% zero_is_nothing
# finding: not-the-smallest
from statistics import mean, median


def best_settings(measure, candidates, tolerance):
    times = {workers: [] for workers in candidates}
    for _ in range(3):
        for workers in candidates:
            times[workers].append(measure(workers))
    limit = (1 + tolerance) * min(median(three) for three in times.values())
    found = None
    for workers in sorted(candidates):
        if median(times[workers]) <= limit and not found:
            found = workers
    return found or "none"

# %% most_workers
# finding: more-than-needed
def best_settings(measure, candidates, tolerance):
    for _ in range(3):
        for workers in candidates:
            measure(workers)
    return max(candidates)

# %% means
# finding: mean-for-median
from statistics import mean, median


def best_settings(measure, candidates, tolerance):
    times = {workers: [] for workers in candidates}
    for _ in range(3):
        for workers in candidates:
            times[workers].append(measure(workers))
    limit = (1 + tolerance) * min(mean(three) for three in times.values())
    return min(workers for workers in candidates if mean(times[workers]) <= limit)

# %% three_in_a_row
# finding: not-in-rounds
from statistics import median


def best_settings(measure, candidates, tolerance):
    times = {w: median(measure(w) for _ in range(3)) for w in candidates}
    limit = (1 + tolerance) * min(times.values())
    return min(workers for workers in candidates if times[workers] <= limit)
