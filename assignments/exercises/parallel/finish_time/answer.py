import math


def finish_time(jobs, workers, t_find, t_work, t_collect, days):
    """Return the number of minutes until the homework of all days is done."""
    ### BEGIN SOLUTION
    # A day is over when the busiest person has finished, so what counts is the largest number of
    # tasks that anybody has. Alone that is all of them, and nothing has to be organised.
    work = math.ceil(jobs / workers) * t_work
    if workers == 1:
        return days * work
    # DataParallel scatters, replicates and gathers in every step; in the same way, friends pay for
    # working together every day.
    return days * (t_find + work + t_collect)
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# for workers in range(1, 9):
#     print(workers, finish_time(8, workers, 3, 60, 5, 1))
