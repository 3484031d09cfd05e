# finding: last-call-only
def self_times(calls):
    own = {}
    for call in calls:
        name, start, end = call
        children = 0
        for other in calls:
            around = [c for c in calls if c != other and c[1] <= other[1] and other[2] <= c[2]]
            if around and min(around, key=lambda c: c[2] - c[1]) == call:
                children += other[2] - other[1]
        own[name] = end - start - children
    return own
