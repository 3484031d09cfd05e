# finding: samples-lost
from torch.nn.parallel import gather, parallel_apply, replicate, scatter


def parallel_forward(module, x, devices):
    parts = scatter(x, devices)
    outputs = parallel_apply(replicate(module, devices[:len(parts)]), parts)
    whole = [output for output in outputs if len(output) == len(outputs[0])]
    return gather(whole, devices[0])
