# finding: divided-twice
import torch
import torch.distributed as dist
from torch import nn


def step(model, optimizer, batch, targets):
    count = torch.tensor(float(len(batch)), device=batch.device)
    dist.all_reduce(count)
    loss = nn.functional.mse_loss(model(batch), targets, reduction="sum") / count
    optimizer.zero_grad()
    loss.backward()
    for parameter in model.parameters():
        dist.all_reduce(parameter.grad)
        parameter.grad /= dist.get_world_size()
    optimizer.step()
