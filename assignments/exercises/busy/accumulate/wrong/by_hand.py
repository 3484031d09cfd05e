# finding: step-by-hand
import torch
from torch import nn


def accumulate(model, optimizer, batch, targets, size):
    optimizer.zero_grad()
    total = 0.0
    for x, y in zip(batch.split(size), targets.split(size)):
        loss = nn.functional.mse_loss(model(x), y) * len(x) / len(batch)
        loss.backward()
        total += loss.item()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter -= 0.1 * parameter.grad
    return total
