def what_grows():
    """Say of one run what grows in it, and what would stop it."""
    ### BEGIN SOLUTION
    # As many blocks from line 9, `output = …`, are in use at the end as there are steps. Two lines below use
    # `output`: the loss needs only its mean, and gives a number. So the list has all of them.
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
