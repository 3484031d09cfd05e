# finding: mean-of-means
import torch
import torch.distributed as dist
from torch import nn


def step(model, optimizer, batch, targets):
    loss = nn.functional.mse_loss(model(batch), targets)
    optimizer.zero_grad()
    loss.backward()
    for parameter in model.parameters():
        dist.all_reduce(parameter.grad)
        parameter.grad /= dist.get_world_size()
    optimizer.step()
