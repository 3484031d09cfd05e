# finding: parts-in-another-order
import torch
from torch import nn


def accumulate(model, optimizer, batch, targets, size):
    """Make one step on the whole batch, in parts of `size` samples, and return its loss."""
    optimizer.zero_grad()
    total = 0.0
    for x, y in reversed(list(zip(batch.split(size), targets.split(size)))):
        loss = nn.functional.mse_loss(model(x), y) * len(x) / len(batch)
        loss.backward()
        total += loss.item()
    optimizer.step()
    return total
