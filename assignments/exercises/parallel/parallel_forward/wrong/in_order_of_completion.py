# finding: order-changed
from torch.nn.parallel import gather, parallel_apply, replicate, scatter


def parallel_forward(module, x, devices):
    parts = scatter(x, devices)
    outputs = parallel_apply(replicate(module, devices[:len(parts)]), parts)
    return gather(sorted(outputs, key=len), devices[0]) if len(outputs) < 2 else gather(
        outputs[1:] + outputs[:1], devices[0])
