# finding: no-step
from torch import nn


def accumulate(model, optimizer, batch, targets, size):
    optimizer.zero_grad()
    total = 0.0
    for x, y in zip(batch.split(size), targets.split(size)):
        loss = nn.functional.mse_loss(model(x), y) * len(x) / len(batch)
        loss.backward()
        total += loss.item()
    return total
