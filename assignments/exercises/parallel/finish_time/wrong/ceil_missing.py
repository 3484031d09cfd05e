# finding: tasks-divided
def finish_time(jobs, workers, t_find, t_work, t_collect, days):
    overhead = t_find + t_collect if workers > 1 else 0
    return days * (overhead + jobs / workers * t_work)
