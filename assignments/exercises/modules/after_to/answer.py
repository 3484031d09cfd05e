def after_to(device, dtype, arguments, flag):
    """Return what is the same after net.to(**arguments), as a dict of six truth values.

    device, dtype: those of the net before, as texts such as "cuda:1" and "float32".
    flag: None, "overwrite" or "swap".
    """
    ### BEGIN SOLUTION
    # Two questions decide: is there another device, is there another dtype? Parameter objects are
    # kept, whatever happens to their numbers, except that the overwrite flag makes new ones in
    # each call. Buffers are replaced by what Tensor.to returns for them; the counter is not cast.
    wanted = arguments.get("dtype", dtype)
    if "int" in wanted:
        return "TypeError"
    stays = arguments.get("device", device) == device
    kept = flag != "overwrite"
    unchanged = stays and wanted == dtype
    return {
        "net": True,
        "weight": kept,
        "memory": unchanged,
        "mean": unchanged,
        "counter": stays,
        "optimizer": kept,
    }
    ### END SOLUTION

# %% try
# Try it out here: remove the # signs and run.
# net = nn.BatchNorm1d(2)
# weight, mean, counter = net.weight, net.running_mean, net.num_batches_tracked
# net.to(torch.float64)
# print(net.weight is weight, net.running_mean is mean, net.num_batches_tracked is counter)
