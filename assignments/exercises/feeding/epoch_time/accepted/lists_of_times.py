def epoch_time(loads, compute, workers, prefetch, startup):
    now = 0.0
    if workers == 0:
        for load in loads:
            now += load + compute
        return now
    loaded, taken = [], []
    for n in range(len(loads)):
        begins = [startup]
        if n >= workers:
            begins.append(loaded[n - workers])
        if n >= workers * prefetch:
            begins.append(taken[n - workers * prefetch])
        loaded.append(max(begins) + loads[n])
        taken.append(max(loaded[n], now))
        now = taken[n] + compute
    return now
