def find_waits():
    """Say of one run which line waits for the GPU in each step, and what would not."""
    ### BEGIN SOLUTION
    # Line 15 takes the scores above 20. How many these are, only the GPU knows, and the CPU needs to
    # know it to make room for them. With zeros in the place of the others, the size is known.
    return {
        "run": 17,
        "line": 15,
        "cause": "size",
        "change": "kept = kept + torch.where(scores > 7, scores, 0.0).sum()",
    }
    ### END SOLUTION


# %% try
# Look at your run here: remove the # sign, choose a number of your own, and run.
# show_run("tensors.find_waits", 17)
