def split_sizes(shape, gpus, dim):
    """Return how long each part is along `dim`, as a list of whole numbers."""
    ### BEGIN SOLUTION
    # All parts have the quotient, rounded up, as their length. The last one gets what remains, and
    # there is no part when nothing remains: that is why 5 samples need only 3 of 4 GPUs.
    length = shape[dim]
    part = -(-length // gpus)
    return [min(part, length - start) for start in range(0, length, part)]
    ### END SOLUTION

# %% try
# Try it out here: remove the # signs and run.
# for batch in range(1, 17):
#     print(batch, split_sizes((batch, 3), 4, 0))
