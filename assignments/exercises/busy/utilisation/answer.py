def utilisation(kernels, start, end):
    """Return the share of the time from start to end in which at least one kernel runs."""
    ### BEGIN SOLUTION
    busy, until = 0, start
    for begin, stop in sorted(kernels):
        # What lies before `until` has been counted already, or lies before the window.
        begin, stop = max(begin, until), min(stop, end)
        if stop > begin:
            busy += stop - begin
            until = stop
    return busy / (end - start)
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# print(utilisation([(0, 30), (20, 40), (90, 120)], 0, 100))
