def which_tensor():
    """Return the diagnosis of one run: the line, the cause, and a line that replaces it."""
    ### BEGIN SOLUTION
    # `criterion` gets scores and labels on the GPU, and the message names a third tensor, `weight`.
    # These class weights belong to the loss function, which has not been moved.
    return {
        "run": 17,
        "line": 23,
        "cause": "loss",
        "change": "criterion = nn.NLLLoss(weight=torch.arange(1.0, 5.0)).to(device)",
    }
    ### END SOLUTION


# %% try
# Look at your run here: remove the # sign, choose a number of your own, and run.
# show_run("modules.which_tensor", 17)
