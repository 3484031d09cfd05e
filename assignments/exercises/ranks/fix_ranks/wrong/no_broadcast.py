# finding: different-starts
import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler


def fix_ranks(model, data, epochs):
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
                dist.all_reduce(parameter.grad)
                parameter.grad /= ranks
            optimizer.step()
            losses += loss.detach()
        dist.all_reduce(losses)
        if dist.get_rank() == 0:
            history.append(losses.item() / (len(loader) * ranks))
    return history
