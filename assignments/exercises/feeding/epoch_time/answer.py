def epoch_time(loads, compute, workers, prefetch, startup):
    """Return when the last training step is done, in ms after the epoch began."""
    ### BEGIN SOLUTION
    if workers == 0:
        return sum(loads) + compute * len(loads)
    free = [startup] * workers  # when each worker can begin its next batch
    taken = []  # when each batch was taken
    done = 0  # when the last step so far is done
    for number, load in enumerate(loads):
        worker, before = number % workers, number - prefetch * workers
        ordered = taken[before] if before >= 0 else 0
        free[worker] = max(free[worker], ordered) + load
        # Whoever is later decides: the loading of this batch, or the training of the one before.
        taken.append(max(free[worker], done))
        done = taken[number] + compute
    return done
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# loads = [30] * 20
# for workers in range(5):
#     print(workers, epoch_time(loads, compute=10, workers=workers, prefetch=2, startup=200))
