# finding: other-gpu
from torch.nn.parallel import gather, parallel_apply, replicate, scatter


def parallel_forward(module, x, devices):
    parts = scatter(x, devices)
    ids = sorted(device.index for device in devices)
    used = [devices[0].index] + [i for i in ids if i != devices[0].index]
    parts = scatter(x, used)
    replicas = replicate(module, used[:len(parts)])
    return gather(parallel_apply(replicas, parts), devices[0])
