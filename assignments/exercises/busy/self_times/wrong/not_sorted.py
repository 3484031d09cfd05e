# finding: order-trusted
def self_times(calls):
    own = {name: 0 for name, _, _ in calls}
    open_calls = []
    for name, start, end in calls:
        while open_calls and open_calls[-1][1] <= start:
            open_calls.pop()
        own[name] += end - start
        if open_calls:
            own[open_calls[-1][0]] -= end - start
        open_calls.append((name, end))
    return own
