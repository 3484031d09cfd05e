# finding: several-steps
from torch import nn


def accumulate(model, optimizer, batch, targets, size):
    total = 0.0
    for x, y in zip(batch.split(size), targets.split(size)):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(x) / len(batch)
    return total
