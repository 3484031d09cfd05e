# finding: parts-weighted-equally
from torch import nn
from torch.nn.parallel import gather, parallel_apply, replicate, scatter


def by_hand(model, batch, targets, devices):
    parts, wanted = scatter(batch, devices), scatter(targets, devices)
    outputs = parallel_apply(replicate(model, devices), parts)
    losses = [nn.functional.mse_loss(*pair) for pair in zip(outputs, wanted, strict=True)]
    return gather(losses, devices[0]).mean()
