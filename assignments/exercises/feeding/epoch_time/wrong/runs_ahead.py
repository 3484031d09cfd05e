# finding: prefetch-ignored
def epoch_time(loads, compute, workers, prefetch, startup):
    if workers == 0:
        return sum(loads) + compute * len(loads)
    free = [startup] * workers
    taken = []
    done = 0
    for number, load in enumerate(loads):
        worker, before = number % workers, number - prefetch * workers
        ordered = 0
        free[worker] = max(free[worker], ordered) + load
        taken.append(max(free[worker], done))
        done = taken[number] + compute
    return done
