def elapsed(program, start, end):
    """Return the milliseconds between two events of a program that works in several streams."""
    ### BEGIN SOLUTION
    now = 0  # on the host's clock
    free = {}  # for each stream: when all its work so far is done
    passed = {}  # for each event: when the GPU passes it
    for step, *rest in program:
        if step == "sleep":
            now += rest[0]
        elif step == "synchronize":
            now = max(now, passed[rest[0]])
        else:
            stream, what = rest
            ready = max(now, free.get(stream, 0))  # not before the host has queued it
            if step == "run":
                free[stream] = ready + what
            elif step == "record":
                passed[what] = ready
            else:
                free[stream] = max(ready, passed[what])
    return passed[end] - passed[start]
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# print(elapsed([("record", "a", "first"), ("run", "a", 6), ("sleep", 2), ("record", "a", "last")],
#               "first", "last"))
