# finding: overhead-per-task
import math


def finish_time(jobs, workers, t_find, t_work, t_collect, days):
    overhead = t_find + t_collect if workers > 1 else 0
    return days * math.ceil(jobs / workers) * (overhead + t_work)
