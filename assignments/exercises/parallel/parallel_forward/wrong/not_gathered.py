# finding: not-gathered
from torch.nn.parallel import gather, parallel_apply, replicate, scatter


def parallel_forward(module, x, devices):
    parts = scatter(x, devices)
    replicas = replicate(module, devices[:len(parts)])
    return parallel_apply(replicas, parts)
