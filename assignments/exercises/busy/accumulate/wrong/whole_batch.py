# finding: part-too-large
from torch import nn


def accumulate(model, optimizer, batch, targets, size):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(batch), targets)
    loss.backward()
    optimizer.step()
    return loss.item()
