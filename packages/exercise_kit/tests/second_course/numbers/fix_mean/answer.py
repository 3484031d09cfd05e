def fix_mean(numbers):
    """Return the mean of the numbers, None if there are none."""
    ### BEGIN SOLUTION
    return sum(numbers) / len(numbers) if numbers else None
    ### END SOLUTION


# %% try
# fix_mean([1, 2])
