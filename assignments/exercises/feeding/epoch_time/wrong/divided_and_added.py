# finding: divided-and-added
def epoch_time(loads, compute, workers, prefetch, startup):
    if workers == 0:
        return sum(loads) + compute * len(loads)
    if workers == 1:
        taken, loaded = startup, startup
        for load in loads:
            loaded += load
            taken = max(loaded, taken) + compute
        return taken
    return startup + sum(loads) / workers + compute * len(loads)
