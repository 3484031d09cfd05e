import torch
import torch.distributed as dist
from torch import nn


def step(model, optimizer, batch, targets):
    counts = [None] * dist.get_world_size()
    dist.all_gather_object(counts, len(targets))
    optimizer.zero_grad()
    nn.functional.mse_loss(model(batch), targets, reduction="sum").backward()
    for parameter in model.parameters():
        dist.all_reduce(parameter.grad)
        parameter.grad /= sum(counts)
    optimizer.step()
