# finding: overhead-forgotten
import math


def finish_time(jobs, workers, t_find, t_work, t_collect, days):
    overhead = t_find + t_collect if workers > 2 else 0
    return days * (overhead + math.ceil(jobs / workers) * t_work)
