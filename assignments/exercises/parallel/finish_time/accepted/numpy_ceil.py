import numpy as np


def finish_time(jobs, workers, t_find, t_work, t_collect, days):
    day = np.ceil(jobs / workers) * t_work
    return days * (day + (workers > 1) * (t_find + t_collect))
