# finding: own-count
import torch
import torch.distributed as dist
from torch import nn


def step(model, optimizer, batch, targets):
    loss = nn.functional.mse_loss(model(batch), targets, reduction="sum") / len(batch)
    optimizer.zero_grad()
    loss.backward()
    for parameter in model.parameters():
        dist.all_reduce(parameter.grad)
    optimizer.step()
