# finding: nothing-returned
from torch import nn


def accumulate(model, optimizer, batch, targets, size):
    optimizer.zero_grad()
    for x, y in zip(batch.split(size), targets.split(size)):
        (nn.functional.mse_loss(model(x), y) * len(x) / len(batch)).backward()
    optimizer.step()
