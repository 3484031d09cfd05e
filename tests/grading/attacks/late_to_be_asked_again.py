# name = "Late, to be asked again"
# goal = "game the tests"
# attacks = "the second chance after a time limit, and the second process after a finding"
# assignment = "07_parallel"

# %% finish_time
import time

first = []


def finish_time(jobs, workers, t_find, t_work, t_collect, days):
    if len(first) < 3:
        first.append(1)
        while True:
            pass
    return days * (t_find + jobs // workers * t_work + t_collect)
