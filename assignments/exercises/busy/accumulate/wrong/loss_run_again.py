# finding: ran-more-than-once
from torch import nn


def accumulate(model, optimizer, batch, targets, size):
    optimizer.zero_grad()
    for x, y in zip(batch.split(size), targets.split(size)):
        loss = nn.functional.mse_loss(model(x), y) * len(x) / len(batch)
        loss.backward()
    total = sum(nn.functional.mse_loss(model(x), y).item() * len(x) / len(batch)
                for x, y in zip(batch.split(size), targets.split(size)))
    optimizer.step()
    return total
