# %% sum_not_divided
# finding: not-divided
import torch
import torch.distributed as dist
from torch import nn


def step(model, optimizer, batch, targets):
    loss = nn.functional.mse_loss(model(batch), targets, reduction="sum")
    optimizer.zero_grad()
    loss.backward()
    for parameter in model.parameters():
        dist.all_reduce(parameter.grad)
    optimizer.step()

# %% number_exchanged
# finding: raised-on-a-rank
import torch
import torch.distributed as dist
from torch import nn


def step(model, optimizer, batch, targets):
    count = len(batch)
    dist.all_reduce(count)
    loss = nn.functional.mse_loss(model(batch), targets, reduction="sum") / count
    optimizer.zero_grad()
    loss.backward()
    for parameter in model.parameters():
        dist.all_reduce(parameter.grad)
    optimizer.step()

# %% not_cleared
# finding: other-weights
import torch
import torch.distributed as dist
from torch import nn


def step(model, optimizer, batch, targets):
    count = torch.tensor(float(len(batch)), device=batch.device)
    dist.all_reduce(count)
    loss = nn.functional.mse_loss(model(batch), targets, reduction="sum") / count
    loss.backward()
    for parameter in model.parameters():
        dist.all_reduce(parameter.grad)
    optimizer.step()

# %% weights_averaged
# finding: weights-exchanged
import torch
import torch.distributed as dist
from torch import nn


def step(model, optimizer, batch, targets):
    loss = nn.functional.mse_loss(model(batch), targets)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    total = torch.tensor(float(len(batch)), device=batch.device)
    dist.all_reduce(total)
    for parameter in model.parameters():
        parameter.data *= len(batch) / total.item()
        dist.all_reduce(parameter.data)

# %% own_divisor
# finding: ranks-differ
import torch
import torch.distributed as dist
from torch import nn


def step(model, optimizer, batch, targets):
    loss = nn.functional.mse_loss(model(batch), targets, reduction="sum")
    optimizer.zero_grad()
    loss.backward()
    for parameter in model.parameters():
        dist.all_reduce(parameter.grad)
        parameter.grad /= len(batch) * dist.get_world_size()
    optimizer.step()

# %% count_on_the_cpu
# finding: raised-on-a-rank
import torch
import torch.distributed as dist
from torch import nn


def step(model, optimizer, batch, targets):
    count = torch.tensor(float(len(batch)))
    dist.all_reduce(count)
    loss = nn.functional.mse_loss(model(batch), targets, reduction="sum") / count
    optimizer.zero_grad()
    loss.backward()
    for parameter in model.parameters():
        dist.all_reduce(parameter.grad)
    optimizer.step()
