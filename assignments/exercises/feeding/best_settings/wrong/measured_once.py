# finding: other-number-of-runs
def best_settings(measure, candidates, tolerance):
    times = {workers: measure(workers) for workers in candidates}
    limit = (1 + tolerance) * min(times.values())
    return min(workers for workers in candidates if times[workers] <= limit)
