# finding: one-task-too-many
def finish_time(jobs, workers, t_find, t_work, t_collect, days):
    if workers == 1:
        return days * jobs * t_work
    return days * (t_find + (jobs // workers + 1) * t_work + t_collect)
