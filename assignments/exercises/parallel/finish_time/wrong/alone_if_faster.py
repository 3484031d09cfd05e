# finding: taken-for-alone
import math


def finish_time(jobs, workers, t_find, t_work, t_collect, days):
    together = t_find + math.ceil(jobs / workers) * t_work + t_collect
    return days * min(together, jobs * t_work)
