def after_to(device, dtype, arguments):
    """Return what is the same after net.to(**arguments), as a dict of five booleans.

    device, dtype: those of the net before, as strings such as "cuda:1" and "float32".
    """
    ### BEGIN SOLUTION
    # Two questions decide: is there another device, is there another dtype? The module and its
    # Parameter objects are kept, whatever happens to their numbers. Buffers are replaced by what
    # Tensor.to returns for them; the counter holds whole numbers and is not cast.
    wanted = arguments.get("dtype", dtype)
    if "int" in wanted:
        return "TypeError"
    stays = arguments.get("device", device) == device
    unchanged = stays and wanted == dtype
    return {
        "net": True,
        "weight": True,
        "memory": unchanged,
        "mean": unchanged,
        "counter": stays,
    }
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# net = nn.BatchNorm1d(2)
# weight, mean, counter = net.weight, net.running_mean, net.num_batches_tracked
# net.to(torch.float64)
# print(net.weight is weight, net.running_mean is mean, net.num_batches_tracked is counter)
