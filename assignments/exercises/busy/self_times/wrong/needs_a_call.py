# finding: no-call
def self_times(calls):
    calls = sorted(calls, key=lambda call: (call[1], -call[2]))
    own = {calls[0][0]: 0}
    for i, (name, start, end) in enumerate(calls):
        own[name] = own.get(name, 0) + end - start
        around = [c for j, c in enumerate(calls) if j != i and c[1] <= start and end <= c[2]]
        if around:
            own[min(around, key=lambda c: c[2] - c[1])[0]] -= end - start
    return own
