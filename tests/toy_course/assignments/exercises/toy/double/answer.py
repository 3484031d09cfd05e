def double(x):
    """Return twice `x`."""
    ### BEGIN SOLUTION
    # A number and itself.
    return x + x
    ### END SOLUTION


# %% try
# double(3)
