# finding: training-never-waits
def epoch_time(loads, compute, workers, prefetch, startup):
    if workers == 0:
        return sum(loads) + compute * len(loads)
    return startup + loads[0] + compute * len(loads)
