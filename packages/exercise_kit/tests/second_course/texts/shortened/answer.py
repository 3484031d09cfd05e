def shortened(words, most):
    """Return the words, each cut to at most `most` letters."""
    ### BEGIN SOLUTION
    return [word if len(word) <= most else word[:most] + "." for word in words]
    ### END SOLUTION


# %% try
# shortened(["Monday", "May"], 3)
