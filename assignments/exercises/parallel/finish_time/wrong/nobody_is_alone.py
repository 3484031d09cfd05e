# finding: overhead-alone
import math


def finish_time(jobs, workers, t_find, t_work, t_collect, days):
    return days * (t_find + math.ceil(jobs / workers) * t_work + t_collect)
