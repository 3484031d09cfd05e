def what_waits():
    """Return the diagnosis of one run: the line that costs time, its cause, and a change."""
    ### BEGIN SOLUTION
    # There are hundreds of kernels. The host does not wait, and the GPU is idle for half of the
    # time: it waits for launches. Line 12 launches a kernel for each of the 128 rows.
    return {"run": 17, "line": 12, "cause": "launches", "change": "hidden.mul_(2)"}
    ### END SOLUTION


# %% try
# Look at your run here: remove the # sign, choose a number of your own, and run.
# show_run("busy.what_waits", 17)
