# finding: recursion
def self_times(calls):
    own = {name: 0 for name, _, _ in calls}
    for call in calls:
        name, start, end = call
        around = [c for c in calls if c != call and c[1] <= start and end <= c[2]]
        if any(c[0] == name for c in around):
            continue
        inside = 0
        for other in calls:
            outer = [c for c in calls if c != other and c[1] <= other[1] and other[2] <= c[2]]
            if outer and min(outer, key=lambda c: c[2] - c[1]) == call:
                inside += other[2] - other[1]
        own[name] += end - start - inside
    return own
