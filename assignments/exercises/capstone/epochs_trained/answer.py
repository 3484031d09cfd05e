def epochs_trained(epochs, every, killed):
    """Return the numbers of all epochs that were begun, over all runs, in order."""
    ### BEGIN SOLUTION
    begun, saved = [], 0
    for epoch in killed:
        begun += range(saved + 1, epoch + 1)
        # The epoch before was the last to be finished; the latest checkpoint is at or before it.
        saved = (epoch - 1) // every * every
    begun += range(saved + 1, epochs + 1)
    return begun
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# print(epochs_trained(6, every=2, killed=[4, 5]))     # [1, 2, 3, 4, 3, 4, 5, 5, 6]
# print(epochs_trained(3, every=1, killed=[2]))        # [1, 2, 2, 3]
