# finding: samples-left-out
from torch import nn


def accumulate(model, optimizer, batch, targets, size):
    optimizer.zero_grad()
    total = 0.0
    for i in range(len(batch) // size):
        x, y = batch[i * size:(i + 1) * size], targets[i * size:(i + 1) * size]
        loss = nn.functional.mse_loss(model(x), y) * len(x) / len(batch)
        loss.backward()
        total += loss.item()
    optimizer.step()
    return total
