def predict_wrap(wraps, gpus, batch, calls):
    """Return what is left after one call of the wrapped module, as a dict of five answers."""
    ### BEGIN SOLUTION
    # Names depend on the wrappers only: each holds what it wraps under the name `module`.
    prefix = "module." * wraps
    names = {"keys": [f"{prefix}scale", f"{prefix}seen"], "reach": f"net.{prefix}scale"}
    # The replica on the first GPU shares the module's buffers, so one call is counted there.
    if wraps == 0 or gpus < 2:
        # Nothing is replicated: forward runs on the module itself.
        return names | {"calls": calls + 1, "seen": 1, "shape": []}
    # Plain attributes of replicas are lost, and their numbers are gathered into a vector. There are
    # as many replicas as parts.
    part = -(-batch // gpus)
    return names | {"calls": calls, "seen": 1, "shape": [-(-batch // part)]}
    ### END SOLUTION

# %% try
# Try it out here: remove the # signs and run. Four GPUs are visible here.
# net = nn.DataParallel(nn.BatchNorm1d(2).to(devices[0]))
# net(torch.ones(8, 2))
# print(list(net.state_dict()), net.module.num_batches_tracked)
