# finding: parts-weighted-equally
from torch import nn


def accumulate(model, optimizer, batch, targets, size):
    optimizer.zero_grad()
    parts = batch.split(size)
    total = 0.0
    for x, y in zip(parts, targets.split(size)):
        loss = nn.functional.mse_loss(model(x), y) / len(parts)
        loss.backward()
        total += loss.item()
    optimizer.step()
    return total
