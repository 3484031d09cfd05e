def torn():
    """Return the diagnosis of one run: the faulty line, its cause, and a change."""
    ### BEGIN SOLUTION
    # `PK`: an archive begins. Its table of contents at the end is missing, and the older file of the same
    # model is larger: the end was cut off. No line brings it back, so load the last whole file.
    return {
        "run": 17,
        "line": 4,
        "cause": "cut",
        "change": 'path = folder / "epoch_7.pt"',
    }
    ### END SOLUTION


# %% try
# Look at your run here: remove the # sign, choose a number of your own, and run.
# show_run("saving.torn", 17)
