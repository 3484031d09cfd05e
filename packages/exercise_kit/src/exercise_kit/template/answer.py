def NAME(x):
    """TODO: one sentence. Return …"""
    ### BEGIN SOLUTION
    # TODO: explain why, not what.
    return 2 * x
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# NAME(3)
