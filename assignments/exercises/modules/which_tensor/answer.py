def which_tensor():
    """Say of one run what stayed on the CPU, in which line it was made, and what cures it."""
    ### BEGIN SOLUTION
    # `criterion` is called with scores and labels of the GPU, and the message names a third tensor,
    # `weight`. The class weights are the loss function's own, and nobody has moved it.
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
