# finding: nothing-returned
import math


def finish_time(jobs, workers, t_find, t_work, t_collect, days):
    overhead = t_find + t_collect if workers > 1 else 0
    print(days * (overhead + math.ceil(jobs / workers) * t_work))
