# finding: taken-off-twice
def self_times(calls):
    own = {}
    for name, start, end in calls:
        inside = sum(e - s for _, s, e in calls if start <= s and e <= end and (s, e) != (start, end))
        own[name] = own.get(name, 0) + end - start - inside
    return own
