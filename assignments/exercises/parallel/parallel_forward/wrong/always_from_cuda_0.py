# finding: other-gpu
from torch.nn.parallel import gather, parallel_apply, replicate, scatter


def parallel_forward(module, x, devices):
    parts = scatter(x, range(len(devices)))
    replicas = replicate(module, range(len(parts)))
    return gather(parallel_apply(replicas, parts), devices[0])
