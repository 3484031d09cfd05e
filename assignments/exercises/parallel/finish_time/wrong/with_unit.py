# finding: other-form
import math


def finish_time(jobs, workers, t_find, t_work, t_collect, days):
    overhead = t_find + t_collect if workers > 1 else 0
    return f"{days * (overhead + math.ceil(jobs / workers) * t_work)} minutes"
