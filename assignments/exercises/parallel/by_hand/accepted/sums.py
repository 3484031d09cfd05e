from torch import nn
from torch.nn.parallel import gather, parallel_apply, replicate, scatter


def by_hand(model, batch, targets, devices):
    total = 0
    wanted = scatter(targets, devices)
    parts = scatter(batch, devices)
    replicas = replicate(model, devices[: len(parts)])
    for replica, part, want in zip(replicas, parts, wanted, strict=True):
        total = total + nn.functional.mse_loss(replica(part), want, reduction="sum").to(devices[0])
    return total / targets.numel()
