# finding: other-gradients
from torch.nn.parallel import gather, parallel_apply, replicate, scatter


def parallel_forward(module, x, devices):
    parts = scatter(x, devices)
    replicas = replicate(module, devices[:len(parts)])
    result = gather(parallel_apply(replicas, parts), devices[0])
    return result + result - result.detach()
