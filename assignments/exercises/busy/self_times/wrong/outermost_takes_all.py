# finding: other-times
def self_times(calls):
    own = {name: 0 for name, _, _ in calls}
    for i, (name, start, end) in enumerate(calls):
        own[name] += end - start
        around = [c for j, c in enumerate(calls) if j != i and c[1] <= start and end <= c[2]]
        if around:
            own[max(around, key=lambda c: c[2] - c[1])[0]] -= end - start
    return own
