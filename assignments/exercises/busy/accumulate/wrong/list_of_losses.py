# finding: other-form
from torch import nn


def accumulate(model, optimizer, batch, targets, size):
    optimizer.zero_grad()
    losses = []
    for x, y in zip(batch.split(size), targets.split(size)):
        loss = nn.functional.mse_loss(model(x), y) * len(x) / len(batch)
        loss.backward()
        losses.append(loss.item())
    optimizer.step()
    return losses
