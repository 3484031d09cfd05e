# finding: model-moved
from torch import nn


def accumulate(model, optimizer, batch, targets, size):
    model.cpu()
    optimizer.zero_grad()
    total = 0.0
    for x, y in zip(batch.cpu().split(size), targets.cpu().split(size)):
        loss = nn.functional.mse_loss(model(x), y) * len(x) / len(batch)
        loss.backward()
        total += loss.item()
    optimizer.step()
    return total
