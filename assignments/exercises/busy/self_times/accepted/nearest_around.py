def self_times(calls):
    own = dict.fromkeys((name for name, _, _ in calls), 0)
    for i, (name, start, end) in enumerate(calls):
        own[name] += end - start
        around = [c for j, c in enumerate(calls) if j != i and c[1] <= start and end <= c[2]]
        if around:
            own[min(around, key=lambda c: c[2] - c[1])[0]] -= end - start
    return own
