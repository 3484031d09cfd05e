# finding: other-time
def epoch_time(loads, compute, workers, prefetch, startup):
    if workers == 0:
        return sum(loads) + compute * len(loads)
    free = [startup] * workers
    taken = []
    done = 0
    for number, load in enumerate(loads):
        worker = number % workers
        if worker == 0:
            free = [max(free)] * workers
        free[worker] += load
        taken.append(max(free[worker], done))
        done = taken[number] + compute
    return done
