# finding: input-changed
from torch.nn.parallel import gather, parallel_apply, replicate, scatter


def parallel_forward(module, x, devices):
    parts = scatter(x, devices)
    while len(devices) > len(parts):
        devices.pop()
    return gather(parallel_apply(replicate(module, devices), parts), devices[0])
