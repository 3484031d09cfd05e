# finding: more-replicas-than-parts
from torch.nn.parallel import gather, parallel_apply, replicate, scatter


def parallel_forward(module, x, devices):
    parts = scatter(x, devices)
    return gather(parallel_apply(replicate(module, devices), parts), devices[0])
