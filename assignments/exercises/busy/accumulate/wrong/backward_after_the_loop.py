# finding: parts-kept
from torch import nn


def accumulate(model, optimizer, batch, targets, size):
    optimizer.zero_grad()
    total = 0
    for x, y in zip(batch.split(size), targets.split(size)):
        total = total + nn.functional.mse_loss(model(x), y) * len(x) / len(batch)
    total.backward()
    optimizer.step()
    return total.item()
