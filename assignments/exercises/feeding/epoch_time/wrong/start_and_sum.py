# finding: one-after-the-other
def epoch_time(loads, compute, workers, prefetch, startup):
    return sum(loads) + compute * len(loads) + (startup if workers else 0)
