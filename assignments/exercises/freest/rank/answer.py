def rank(free):
    """Return the indices of the cards, most free memory first; unknown ones are left out."""
    ### BEGIN SOLUTION
    known = [index for index, amount in enumerate(free) if amount is not None]
    # The sort is stable: where the amounts are equal, the indices keep their rising order.
    return sorted(known, key=lambda index: int(free[index]), reverse=True)
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# print(rank([10362, 10058, 9990, 9990]))
# print(rank(["845", None, "10362", 0]))
