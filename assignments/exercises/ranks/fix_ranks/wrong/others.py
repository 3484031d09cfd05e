# %% as_given
# finding: another-group
import torch
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler


def fix_ranks(model, data, epochs, dist):
    """Train `model` on all ranks, and return the mean loss of each epoch on rank 0."""
    sampler = DistributedSampler(data, seed=1)
    loader = DataLoader(data, batch_size=2, sampler=sampler)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    history = []
    for epoch in range(epochs):
        losses = torch.zeros(())
        for batch, targets in loader:
            loss = nn.functional.mse_loss(model(batch), targets)
            optimizer.zero_grad()
            loss.backward()
            for parameter in model.parameters():
                dist.all_reduce(parameter.grad)
            optimizer.step()
            losses += loss.detach()
        if dist.get_rank() == 0:
            dist.all_reduce(losses)
            history.append(losses.item() / (len(loader) * dist.get_world_size()))
    return history

# %% averaged_after_the_epoch
# finding: averaged-too-late
import torch
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler


def fix_ranks(model, data, epochs, dist):
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

# %% averaged_weights
# finding: ranks-differ
import torch
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler


def fix_ranks(model, data, epochs, dist):
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
                parameter.grad *= dist.get_rank() + 1
            optimizer.step()
            losses += loss.detach()
        dist.all_reduce(losses)
        if dist.get_rank() == 0:
            history.append(losses.item() / (len(loader) * ranks))
    return history

# %% cleared_before_the_step
# finding: nothing-to-step-with
import torch
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler


def fix_ranks(model, data, epochs, dist):
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
            loss.backward()
            for parameter in model.parameters():
                dist.all_reduce(parameter.grad)
                parameter.grad /= ranks
            optimizer.zero_grad()
            optimizer.step()
            losses += loss.detach()
        dist.all_reduce(losses)
        if dist.get_rank() == 0:
            history.append(losses.item() / (len(loader) * ranks))
    return history

# %% divided_by_steps
# finding: losses-not-divided
import torch
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler


def fix_ranks(model, data, epochs, dist):
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

# %% divided_twice
# finding: divided-twice
import torch
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler


def fix_ranks(model, data, epochs, dist):
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
                dist.all_reduce(parameter.grad, op=dist.ReduceOp.AVG)
                parameter.grad /= ranks
            optimizer.step()
            losses += loss.detach()
        dist.all_reduce(losses)
        if dist.get_rank() == 0:
            history.append(losses.item() / (len(loader) * ranks))
    return history

# %% epochs_from_1
# finding: epochs-from-1
import torch
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler


def fix_ranks(model, data, epochs, dist):
    """Train `model` on all ranks, and return the mean loss of each epoch on rank 0."""
    ranks = dist.get_world_size()
    for parameter in model.parameters():
        dist.broadcast(parameter, src=0)
    sampler = DistributedSampler(data, num_replicas=ranks, rank=dist.get_rank(), seed=1)
    loader = DataLoader(data, batch_size=2, sampler=sampler)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    history = []
    for epoch in range(epochs):
        sampler.set_epoch(epoch + 1)
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

# %% exchange_behind_an_if
# finding: out-of-step
import torch
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler


def fix_ranks(model, data, epochs, dist):
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
            dist.all_reduce(losses)
            history.append(losses.item() / (len(loader) * ranks))
    return history

# %% last_loss
# finding: other-losses
import torch
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler


def fix_ranks(model, data, epochs, dist):
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
            losses = loss.detach()
        dist.all_reduce(losses)
        if dist.get_rank() == 0:
            history.append(losses.item() / (len(loader) * ranks))
    return history

# %% mean_start
# finding: mean-start
import torch
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler


def fix_ranks(model, data, epochs, dist):
    """Train `model` on all ranks, and return the mean loss of each epoch on rank 0."""
    ranks = dist.get_world_size()
    for parameter in model.parameters():
        dist.all_reduce(parameter.data)
        parameter.data /= ranks
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
            history.append(losses.item() / (len(loader) * ranks))
    return history

# %% no_return
# finding: nothing-returned
import torch
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler


def fix_ranks(model, data, epochs, dist):
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
            history.append(losses.item() / (len(loader) * ranks))

# %% not_shuffled
# finding: not-shuffled
import torch
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler


def fix_ranks(model, data, epochs, dist):
    """Train `model` on all ranks, and return the mean loss of each epoch on rank 0."""
    ranks = dist.get_world_size()
    for parameter in model.parameters():
        dist.broadcast(parameter, src=0)
    sampler = DistributedSampler(data, num_replicas=ranks, rank=dist.get_rank(), shuffle=False)
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

# %% one_epoch_for_all
# finding: same-samples
import torch
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler


def fix_ranks(model, data, epochs, dist):
    """Train `model` on all ranks, and return the mean loss of each epoch on rank 0."""
    ranks = dist.get_world_size()
    for parameter in model.parameters():
        dist.broadcast(parameter, src=0)
    sampler = DistributedSampler(data, num_replicas=1, rank=0, seed=1)
    loader = DataLoader(data, batch_size=2, sampler=sampler)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    history = []
    for epoch in range(epochs):
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

# %% one_number
# finding: other-form
import torch
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler


def fix_ranks(model, data, epochs, dist):
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
            history.append(losses.item() / (len(loader) * ranks))
    return sum(history)

# %% only_the_sampler
# finding: out-of-step
import torch
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler


def fix_ranks(model, data, epochs, dist):
    """Train `model` on all ranks, and return the mean loss of each epoch on rank 0."""
    sampler = DistributedSampler(data, num_replicas=dist.get_world_size(), rank=dist.get_rank(), seed=1)
    loader = DataLoader(data, batch_size=2, sampler=sampler)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    history = []
    for epoch in range(epochs):
        losses = torch.zeros(())
        for batch, targets in loader:
            loss = nn.functional.mse_loss(model(batch), targets)
            optimizer.zero_grad()
            loss.backward()
            for parameter in model.parameters():
                dist.all_reduce(parameter.grad)
            optimizer.step()
            losses += loss.detach()
        if dist.get_rank() == 0:
            dist.all_reduce(losses)
            history.append(losses.item() / (len(loader) * dist.get_world_size()))
    return history

# %% ordinary_loader
# finding: other-samples
import torch
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler


def fix_ranks(model, data, epochs, dist):
    """Train `model` on all ranks, and return the mean loss of each epoch on rank 0."""
    ranks = dist.get_world_size()
    for parameter in model.parameters():
        dist.broadcast(parameter, src=0)
    sampler = DistributedSampler(data, num_replicas=ranks, rank=dist.get_rank(), seed=1)
    loader = DataLoader(data, batch_size=2)
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

# %% other_rate
# finding: other-weights
import torch
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler


def fix_ranks(model, data, epochs, dist):
    """Train `model` on all ranks, and return the mean loss of each epoch on rank 0."""
    ranks = dist.get_world_size()
    for parameter in model.parameters():
        dist.broadcast(parameter, src=0)
    sampler = DistributedSampler(data, num_replicas=ranks, rank=dist.get_rank(), seed=1)
    loader = DataLoader(data, batch_size=2, sampler=sampler)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02)
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

# %% rank_0_alone
# finding: loss-of-rank-0
import torch
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler


def fix_ranks(model, data, epochs, dist):
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

# %% seed_forgotten
# finding: other-seed
import torch
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler


def fix_ranks(model, data, epochs, dist):
    """Train `model` on all ranks, and return the mean loss of each epoch on rank 0."""
    ranks = dist.get_world_size()
    for parameter in model.parameters():
        dist.broadcast(parameter, src=0)
    sampler = DistributedSampler(data, num_replicas=ranks, rank=dist.get_rank())
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

# %% without_exchange_or_start
# finding: not-exchanged
import torch
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler


def fix_ranks(model, data, epochs, dist):
    """Train `model` on all ranks, and return the mean loss of each epoch on rank 0."""
    ranks = dist.get_world_size()
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
                pass
            optimizer.step()
            losses += loss.detach()
        dist.all_reduce(losses)
        if dist.get_rank() == 0:
            history.append(losses.item() / (len(loader) * ranks))
    return history
