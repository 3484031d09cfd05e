from collections import Counter


def self_times(calls):
    own = Counter()
    for name, start, end in calls:
        own[name] += 0
        for t in range(start, end):
            running = [c for c in calls if c[1] <= t < c[2]]
            if min(running, key=lambda c: c[2] - c[1]) == (name, start, end):
                own[name] += 1
    return dict(own)
