import math


def finish_time(jobs, workers, t_find, t_work, t_collect, days):
    if workers == 1:
        return float(jobs * t_work * days)
    return days * float(t_find + t_collect + math.ceil(jobs / workers) * t_work)
