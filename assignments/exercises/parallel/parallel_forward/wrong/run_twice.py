# finding: other-parts
from torch.nn.parallel import gather, parallel_apply, replicate, scatter
def parallel_forward(module, x, devices):
    parts=scatter(x, devices)
    r=replicate(module, devices[:len(parts)])
    parallel_apply(r, parts)
    return gather(parallel_apply(r, parts), devices[0])
