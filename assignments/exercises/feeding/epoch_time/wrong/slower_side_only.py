# finding: warm-up-forgotten
def epoch_time(loads, compute, workers, prefetch, startup):
    if workers == 0:
        return sum(loads) + compute * len(loads)
    return startup + max(sum(loads) / workers, compute * len(loads))
