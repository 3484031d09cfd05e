# finding: gradients-left-over
from torch import nn


def accumulate(model, optimizer, batch, targets, size):
    total = 0.0
    for x, y in zip(batch.split(size), targets.split(size)):
        loss = nn.functional.mse_loss(model(x), y) * len(x) / len(batch)
        loss.backward()
        total += loss.item()
    optimizer.step()
    return total
