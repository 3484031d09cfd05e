def rank_batches(samples, rank, ranks, size, drop_last):
    """Return the batches of one rank, as lists of sample indices."""
    ### BEGIN SOLUTION
    # What each rank gets: rounded down where the rest is dropped, and up where it is filled.
    each = samples // ranks if drop_last else -(-samples // ranks)
    # Samples are dealt out like cards. The remainder begins again with sample 0.
    mine = [(rank + place * ranks) % samples for place in range(each)]
    return [mine[start : start + size] for start in range(0, each, size)]
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# for rank in range(3):
#     print(rank, rank_batches(14, rank, ranks=3, size=2, drop_last=False))
