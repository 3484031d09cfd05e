# %% averaged_after_the_epoch
# finding: other-weights
import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler


def fix_ranks(model, data, epochs):
    """Train `model` on all ranks, and return the mean loss of each epoch on rank 0."""
    ranks = dist.get_world_size()
    for parameter in model.parameters():
        dist.broadcast(parameter, src=0)
    sampler = DistributedSampler(data, num_replicas=ranks, rank=dist.get_rank(), seed=1)
    loader = DataLoader(data, batch_size=2, sampler=sampler)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    history = []
    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        losses = torch.zeros(())
        for batch, targets in loader:
            loss = nn.functional.mse_loss(model(batch), targets)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses += loss.detach()
        for parameter in model.parameters():
            dist.all_reduce(parameter.data)
            parameter.data /= ranks
        dist.all_reduce(losses)
        if dist.get_rank() == 0:
            history.append(losses.item() / (len(loader) * ranks))
    return history

# %% divided_by_steps
# finding: other-losses
import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler


def fix_ranks(model, data, epochs):
    """Train `model` on all ranks, and return the mean loss of each epoch on rank 0."""
    ranks = dist.get_world_size()
    for parameter in model.parameters():
        dist.broadcast(parameter, src=0)
    sampler = DistributedSampler(data, num_replicas=ranks, rank=dist.get_rank(), seed=1)
    loader = DataLoader(data, batch_size=2, sampler=sampler)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    history = []
    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        losses = torch.zeros(())
        for batch, targets in loader:
            loss = nn.functional.mse_loss(model(batch), targets)
            optimizer.zero_grad()
            loss.backward()
            for parameter in model.parameters():
                dist.all_reduce(parameter.grad)
                parameter.grad /= ranks
            optimizer.step()
            losses += loss.detach()
        dist.all_reduce(losses)
        if dist.get_rank() == 0:
            history.append(losses.item() / len(loader))
    return history

# %% rank_0_alone
# finding: loss-of-rank-0
import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler


def fix_ranks(model, data, epochs):
    """Train `model` on all ranks, and return the mean loss of each epoch on rank 0."""
    ranks = dist.get_world_size()
    for parameter in model.parameters():
        dist.broadcast(parameter, src=0)
    sampler = DistributedSampler(data, num_replicas=ranks, rank=dist.get_rank(), seed=1)
    loader = DataLoader(data, batch_size=2, sampler=sampler)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    history = []
    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        losses = torch.zeros(())
        for batch, targets in loader:
            loss = nn.functional.mse_loss(model(batch), targets)
            optimizer.zero_grad()
            loss.backward()
            for parameter in model.parameters():
                dist.all_reduce(parameter.grad)
                parameter.grad /= ranks
            optimizer.step()
            losses += loss.detach()
        if dist.get_rank() == 0:
            history.append(losses.item() / len(loader))
    return history

# %% number_exchanged
# finding: raised-on-a-rank
import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler


def fix_ranks(model, data, epochs):
    """Train `model` on all ranks, and return the mean loss of each epoch on rank 0."""
    ranks = dist.get_world_size()
    # Averaged gradients keep a distance as it is, so all begin in one place.
    for parameter in model.parameters():
        dist.broadcast(parameter, src=0)
    sampler = DistributedSampler(data, num_replicas=ranks, rank=dist.get_rank(), seed=1)
    loader = DataLoader(data, batch_size=2, sampler=sampler)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    history = []
    for epoch in range(epochs):
        sampler.set_epoch(epoch)  # without it, every epoch has the order of the first
        losses = torch.zeros(())
        for batch, targets in loader:
            loss = nn.functional.mse_loss(model(batch), targets)
            optimizer.zero_grad()
            loss.backward()
            for parameter in model.parameters():
                dist.all_reduce(parameter.grad)
                parameter.grad /= ranks
            optimizer.step()
            losses += loss.detach()
        total = losses.item()
        dist.all_reduce(total)
        if dist.get_rank() == 0:
            history.append(total / (len(loader) * ranks))
    return history

# %% added_up
# finding: gradients-added-up
import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler


def fix_ranks(model, data, epochs):
    """Train `model` on all ranks, and return the mean loss of each epoch on rank 0."""
    ranks = dist.get_world_size()
    for parameter in model.parameters():
        dist.broadcast(parameter, src=0)
    sampler = DistributedSampler(data, num_replicas=ranks, rank=dist.get_rank(), seed=1)
    loader = DataLoader(data, batch_size=2, sampler=sampler)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    history = []
    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        losses = torch.zeros(())
        for batch, targets in loader:
            loss = nn.functional.mse_loss(model(batch), targets)
            optimizer.zero_grad()
            loss.backward()
            for parameter in model.parameters():
                dist.all_reduce(parameter.grad)
            optimizer.step()
            losses += loss.detach()
        dist.all_reduce(losses)
        if dist.get_rank() == 0:
            history.append(losses.item() / (len(loader) * ranks))
    return history

# %% all_samples
# finding: other-samples
import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler


def fix_ranks(model, data, epochs):
    """Train `model` on all ranks, and return the mean loss of each epoch on rank 0."""
    ranks = dist.get_world_size()
    for parameter in model.parameters():
        dist.broadcast(parameter, src=0)
    sampler = DistributedSampler(data, num_replicas=1, rank=0, seed=1)
    loader = DataLoader(data, batch_size=2, sampler=sampler)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    history = []
    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        losses = torch.zeros(())
        for batch, targets in loader:
            loss = nn.functional.mse_loss(model(batch), targets)
            optimizer.zero_grad()
            loss.backward()
            for parameter in model.parameters():
                dist.all_reduce(parameter.grad)
                parameter.grad /= ranks
            optimizer.step()
            losses += loss.detach()
        dist.all_reduce(losses)
        if dist.get_rank() == 0:
            history.append(losses.item() / (len(loader) * ranks))
    return history
