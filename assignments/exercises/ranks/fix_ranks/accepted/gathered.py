import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler


def fix_ranks(model, data, epochs):
    rank, ranks = dist.get_rank(), dist.get_world_size()
    states = [None] * ranks
    dist.all_gather_object(states, model.state_dict())
    model.load_state_dict(states[0])
    sampler = DistributedSampler(data, ranks, rank, seed=1)
    loader = DataLoader(data, batch_size=2, sampler=sampler)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    history = []
    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        losses = []
        for batch, targets in loader:
            loss = nn.functional.mse_loss(model(batch), targets)
            optimizer.zero_grad()
            (loss / ranks).backward()
            for parameter in model.parameters():
                dist.all_reduce(parameter.grad)
            optimizer.step()
            losses.append(loss.item())
        everyone = [None] * ranks
        dist.all_gather_object(everyone, losses)
        if rank == 0:
            flat = [value for each in everyone for value in each]
            history.append(sum(flat) / len(flat))
    return tuple(history)
