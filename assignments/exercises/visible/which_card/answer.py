def which_card():
    """Return the diagnosis of one run: the faulty line, its cause, and a change."""
    ### BEGIN SOLUTION
    # Line 7 sets the list in time: `device_count` has not started CUDA. In "0,3,2", GPU 3 has the
    # position 1, and line 8 names the position 2.
    return {
        "run": 17,
        "line": 8,
        "cause": "place",
        "change": 'device = torch.device("cuda:1")',
    }
    ### END SOLUTION


# %% try
# Look at your run here: remove the # sign, choose a number of your own, and run.
# show_run("visible.which_card", 17)
