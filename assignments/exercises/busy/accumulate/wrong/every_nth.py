# finding: other-parts
import torch
from torch import nn


def accumulate(model, optimizer, batch, targets, size):
    """Make one step on the whole batch, in parts of `size` samples, and return its loss."""
    optimizer.zero_grad()
    total = 0.0
    parts = -(-len(batch) // size)
    for start in range(parts):
        x, y = batch[start::parts], targets[start::parts]
        loss = nn.functional.mse_loss(model(x), y) * len(x) / len(batch)
        loss.backward()
        total += loss.item()
    optimizer.step()
    return total
