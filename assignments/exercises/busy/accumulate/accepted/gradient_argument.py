import torch
from torch import nn


def accumulate(model, optimizer, batch, targets, size):
    for parameter in model.parameters():
        parameter.grad = None
    loss = 0.0
    for x, y in zip(torch.split(batch, size), torch.split(targets, size)):
        part = nn.MSELoss()(model(x), y)
        share = len(x) / len(batch)
        part.backward(gradient=torch.full_like(part, share))
        loss += share * part.item()
    optimizer.step()
    return loss
