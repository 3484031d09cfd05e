# finding: overhead-forgotten
import math


def finish_time(jobs, workers, t_find, t_work, t_collect, days):
    return days * math.ceil(jobs / workers) * t_work
