# finding: rule-of-thumb
def best_settings(measure, candidates, tolerance):
    times = {workers: [] for workers in candidates}
    for _ in range(3):
        for workers in candidates:
            times[workers].append(measure(workers))
    return min(candidates, key=lambda workers: abs(workers - 4))
