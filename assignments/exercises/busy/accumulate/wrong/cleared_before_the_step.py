# finding: nothing-to-step-with
import torch
from torch import nn


def accumulate(model, optimizer, batch, targets, size):
    """Make one step on the whole batch, in parts of `size` samples, and return its loss."""
    total = 0.0
    for x, y in zip(batch.split(size), targets.split(size), strict=True):
        loss = nn.functional.mse_loss(model(x), y) * len(x) / len(batch)
        loss.backward()
        total += loss.item()
    optimizer.zero_grad()
    optimizer.step()
    return total
