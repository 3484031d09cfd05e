# finding: more-replicas-than-parts
from torch import nn
from torch.nn.parallel import gather, parallel_apply, replicate, scatter


def by_hand(model, batch, targets, devices):
    parts = scatter(batch, devices)
    outputs = parallel_apply(replicate(model, devices), parts)
    return nn.functional.mse_loss(gather(outputs, devices[0]), targets.to(devices[0]))
