def split_sizes(shape, gpus, dim):
    """Return the length of each part along `dim`, in the order of the GPUs."""
    ### BEGIN SOLUTION
    # All parts are as long as the quotient, rounded up. The last one gets what remains, and
    # there are no more parts when nothing remains: 5 samples need only 3 of 4 GPUs.
    length = shape[dim]
    part = -(-length // gpus)
    return [min(part, length - start) for start in range(0, length, part)]
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# for batch in range(1, 17):
#     print(batch, split_sizes((batch, 3), 4, 0))
