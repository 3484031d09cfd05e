# finding: divided-by-workers
def finish_time(jobs, workers, t_find, t_work, t_collect, days):
    return days * jobs * t_work / workers
