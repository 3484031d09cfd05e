def self_times(calls):
    """Return a dict from name to the time that its calls spend in their own code, in µs."""
    ### BEGIN SOLUTION
    own = {name: 0 for name, _, _ in calls}
    open_calls = []
    # An outer call comes first: it starts earlier, or at the same time and ends later.
    for name, start, end in sorted(calls, key=lambda call: (call[1], -call[2])):
        while open_calls and open_calls[-1][1] <= start:
            open_calls.pop()
        own[name] += end - start
        if open_calls:
            own[open_calls[-1][0]] -= end - start  # of the call directly around this one
        open_calls.append((name, end))
    return own
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# print(self_times([("step", 0, 100), ("forward", 10, 60), ("linear", 20, 50)]))
