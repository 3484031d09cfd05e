def predict_wrap(wraps, gpus, batch, calls):
    """Return four facts about the wrapped module after one call, as a dict."""
    ### BEGIN SOLUTION
    # The keys depend on the wrappers only: each holds what it wraps under the name `module`.
    prefix = "module." * wraps
    keys = [f"{prefix}scale", f"{prefix}seen"]
    if wraps == 0 or gpus < 2:
        # Nothing is replicated: forward runs on the module itself.
        return {"keys": keys, "calls": calls + 1, "seen": 1, "shape": []}
    # Plain attributes of replicas are lost. The replica on the first GPU shares the module's
    # buffers, so one call is counted there. The replicas' numbers are gathered into a vector, and
    # there are as many replicas as parts.
    part = -(-batch // gpus)
    return {"keys": keys, "calls": calls, "seen": 1, "shape": [-(-batch // part)]}
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run. Four GPUs are visible here.
# model = nn.DataParallel(nn.BatchNorm1d(2).to(devices[0]))
# model(torch.ones(8, 2))
# print(list(model.state_dict()), model.module.num_batches_tracked)
