def finish_time(jobs, workers, t_find, t_work, t_collect, days):
    rounds, left = divmod(jobs, workers)
    overhead = 0 if workers == 1 else t_find + t_collect
    return (overhead + (rounds + (left > 0)) * t_work) * days
