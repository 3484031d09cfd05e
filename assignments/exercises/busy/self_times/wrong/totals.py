# finding: total-time
def self_times(calls):
    own = {}
    for name, start, end in calls:
        own[name] = own.get(name, 0) + end - start
    return own
