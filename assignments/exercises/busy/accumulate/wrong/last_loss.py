# finding: loss-of-one-part
from torch import nn


def accumulate(model, optimizer, batch, targets, size):
    optimizer.zero_grad()
    for x, y in zip(batch.split(size), targets.split(size)):
        loss = nn.functional.mse_loss(model(x), y)
        (loss * len(x) / len(batch)).backward()
    optimizer.step()
    return loss.item()
