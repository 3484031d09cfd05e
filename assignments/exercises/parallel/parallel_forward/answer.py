from torch.nn.parallel import gather, parallel_apply, replicate, scatter


def parallel_forward(module, x, devices):
    """Return module(x) on devices[0], computed in parts on all of `devices`."""
    ### BEGIN SOLUTION
    parts = scatter(x, devices)
    # The number of parts decides how many replicas are needed: never more, and perhaps fewer than
    # there are devices. `replicate` records the copies, so that gradients find their way back.
    replicas = replicate(module, devices[: len(parts)])
    outputs = parallel_apply(replicas, parts)
    # The outputs come in the order of the parts, whichever replica was done first.
    return gather(outputs, devices[0])
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# module = nn.Linear(3, 2).to(devices[0])
# x = torch.arange(15.0).reshape(5, 3)
# result = parallel_forward(module, x, list(devices))
# result.sum().backward()
# print(torch.equal(result.cpu(), module(x.to(devices[0])).cpu()), module.weight.grad)
