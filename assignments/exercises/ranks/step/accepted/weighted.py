import torch
import torch.distributed as dist
from torch import nn


def step(model, optimizer, batch, targets):
    total = torch.tensor([float(len(batch))], device=batch.device)
    dist.all_reduce(total)
    loss = nn.functional.mse_loss(model(batch), targets)
    optimizer.zero_grad()
    loss.backward()
    for parameter in model.parameters():
        parameter.grad *= len(batch) / total.item()
        dist.all_reduce(parameter.grad)
    optimizer.step()
