def find_waits():
    """Return the diagnosis of one run: the line that waits, its cause, and a line that does not wait."""
    ### BEGIN SOLUTION
    # Line 15 selects the scores above 7. To allocate the result, the CPU needs their number, which
    # only the GPU can compute. With zeros in place of the other scores, the size is known.
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
