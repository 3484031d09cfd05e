# finding: model-not-run
from torch import nn


def accumulate(model, optimizer, batch, targets, size):
    optimizer.zero_grad()
    total = 0.0
    for x, y in zip(batch.split(size), targets.split(size)):
        out = nn.functional.linear(x, *model.parameters())
        loss = nn.functional.mse_loss(out, y) * len(x) / len(batch)
        loss.backward()
        total += loss.item()
    optimizer.step()
    return total
