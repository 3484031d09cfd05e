def what_grows():
    """Return the diagnosis of one run: the line that keeps memory, its cause, and a change."""
    ### BEGIN SOLUTION
    # At the end, one block from line 9, `output = …`, is in use for each step. Two lines use `output`.
    # The loss becomes a number, which keeps nothing. So the list keeps all outputs.
    return {
        "run": 17,
        "line": 12,
        "cause": "tensors on the GPU",
        "change": "outputs.append(output.detach().cpu())",
    }
    ### END SOLUTION


# %% try
# Look at your run here: remove the # sign, choose a number of your own, and run.
# show_run("toolbox.what_grows", 17)
