# finding: ran-more-than-once
from torch import nn


def accumulate(model, optimizer, batch, targets, size):
    optimizer.zero_grad()
    for x, y in zip(batch.split(size), targets.split(size)):
        (nn.functional.mse_loss(model(x), y) * len(x) / len(batch)).backward()
    optimizer.step()
    total = 0.0
    for x, y in zip(batch.split(size), targets.split(size)):
        total += nn.functional.mse_loss(model(x), y).item() * len(x) / len(batch)
    return total
