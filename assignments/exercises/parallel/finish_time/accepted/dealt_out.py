def finish_time(jobs, workers, t_find, t_work, t_collect, days):
    minutes = 0
    for _ in range(days):
        tasks = [0] * workers
        for job in range(jobs):
            tasks[job % workers] += 1
        if workers > 1:
            minutes += t_find + t_collect
        minutes += max(tasks) * t_work
    return minutes
