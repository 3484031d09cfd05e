def mend_mean(numbers):
    """Return the mean of the numbers, None if there are none."""
    ### BEGIN SOLUTION
    return sum(numbers) / len(numbers) if numbers else None
    ### END SOLUTION


# %% try
# mend_mean([1, 2])
