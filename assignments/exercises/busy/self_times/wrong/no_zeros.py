# finding: zero-left-out
def self_times(calls):
    own = {}
    for i, (name, start, end) in enumerate(calls):
        own[name] = own.get(name, 0) + end - start
        around = [c for j, c in enumerate(calls) if j != i and c[1] <= start and end <= c[2]]
        if around:
            outer = min(around, key=lambda c: c[2] - c[1])[0]
            own[outer] = own.get(outer, 0) - (end - start)
    return {name: time for name, time in own.items() if time > 0}
