from statistics import median


def best_settings(measure, candidates, tolerance):
    """Return the smallest number of workers that is as fast as the best, within the tolerance.

    measure: a function of the number of workers that loads an epoch and returns its time in ms.
    """
    ### BEGIN SOLUTION
    # In rounds, so that whatever else the computer does for a while meets all candidates alike.
    times = {workers: [] for workers in candidates}
    for _ in range(3):
        for workers in candidates:
            times[workers].append(measure(workers))
    medians = {workers: median(three) for workers, three in times.items()}
    # The fastest of several noisy times is partly luck. Whatever comes close is as good, and then
    # fewer workers are better: each one costs memory and a process to start.
    limit = (1 + tolerance) * min(medians.values())
    return min(workers for workers in candidates if medians[workers] <= limit)
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# runs = {0: [900, 910, 905], 1: [560, 555, 980], 2: [500, 505, 510], 4: [490, 480, 700]}
# best_settings(lambda workers: runs[workers].pop(0), [0, 1, 2, 4], tolerance=0.125)
