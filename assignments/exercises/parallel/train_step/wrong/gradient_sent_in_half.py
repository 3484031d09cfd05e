# finding: rounded
import torch
from torch import nn


def train_step(replicas, batch, targets, lr):
    """Make one step of SGD with two replicas, and return the loss of the whole batch."""
    total = 0.0
    for replica, x, y in zip(replicas, batch.chunk(2), targets.chunk(2), strict=True):
        device = next(replica.parameters()).device
        loss = nn.functional.mse_loss(replica(x.to(device)), y.to(device))
        weighted = loss * len(x) / len(batch)
        replica.zero_grad()
        weighted.backward()
        total += weighted.item()
    with torch.no_grad():
        for first, second in zip(*(replica.parameters() for replica in replicas), strict=True):
            gradient = first.grad + second.grad.half().to(first.device)
            first -= lr * gradient
            second.copy_(first)
    return total
