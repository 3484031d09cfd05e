from torch import nn
from torch.nn.parallel import gather, parallel_apply, replicate, scatter


def by_hand(model, batch, targets, devices):
    parts, wanted = scatter(batch, devices), scatter(targets, devices)
    outputs = parallel_apply(replicate(model, devices[: len(parts)]), parts)
    shares = [len(part) / len(batch) for part in parts]
    losses = [nn.functional.mse_loss(*pair) for pair in zip(outputs, wanted, strict=True)]
    return sum((loss * share).to(devices[0]) for loss, share in zip(losses, shares, strict=True))
