# finding: parameters-replaced
import torch
from torch import nn


def train_step(replicas, batch, targets, lr):
    total = 0.0
    for replica, x, y in zip(replicas, batch.chunk(2), targets.chunk(2)):
        device = next(replica.parameters()).device
        loss = nn.functional.mse_loss(replica(x.to(device)), y.to(device)) * len(x) / len(batch)
        replica.zero_grad()
        loss.backward()
        total += loss.item()
    first, second = (dict(replica.named_parameters()) for replica in replicas)
    for name in first:
        owner, _, leaf = name.rpartition(".")
        for replica, own, other in ((replicas[0], first, second), (replicas[1], second, first)):
            step = lr * (own[name].grad + other[name].grad.to(own[name].device))
            new = nn.Parameter((own[name] - step).detach())
            setattr(replica.get_submodule(owner), leaf, new)
    return total
