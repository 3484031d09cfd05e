# %% buffer_that_grows
import torch
from torch import nn


class Centre(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.register_buffer("mean", torch.zeros(width))
        self.register_buffer("steps", torch.arange(512), persistent=False)

    def forward(self, batch, lengths):
        number = batch.shape[1]
        if number > len(self.steps):
            self.steps = torch.arange(number, device=batch.device)
        mask = self.steps[:number] < lengths[:, None]
        average = (batch * mask[:, :, None]).sum(1) / lengths[:, None]
        self.mean = torch.lerp(self.mean, average.mean(0), 0.5)
        return average - self.mean


def fix_module(batches, width, device):
    model = Centre(width).to(device)
    results = []
    for batch, lengths in batches:
        results.append(model(batch.to(device), lengths.to(device)))
    return results, model

# %% in_place_and_cumsum
import torch
from torch import nn


class Centre(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.register_buffer("mean", torch.zeros(width))

    def forward(self, batch, lengths):
        mask = torch.ones_like(batch[:, :, 0]).cumsum(1) <= lengths[:, None]
        average = (batch * mask[:, :, None]).sum(1) / lengths[:, None]
        self.mean.mul_(0.5).add_(0.5 * average.mean(0))
        return average - self.mean


def fix_module(batches, width, device):
    model = Centre(width).to(device)
    results = []
    for batch, lengths in batches:
        results.append(model(batch.to(device), lengths.to(device)))
    return results, model

# %% inputs_moved_to_the_mean
import torch
from torch import nn


class Centre(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.register_buffer("mean", torch.zeros(width))

    def forward(self, batch, lengths):
        batch, lengths = batch.to(self.mean.device), lengths.to(self.mean.device)
        mask = torch.arange(batch.shape[1], device=batch.device) < lengths[:, None]
        average = (batch * mask[:, :, None]).sum(1) / lengths[:, None]
        self.mean = 0.5 * self.mean + 0.5 * average.mean(0)
        return average - self.mean


def fix_module(batches, width, device):
    model = Centre(width).to(device)
    results = []
    for batch, lengths in batches:
        results.append(model(batch.to(device), lengths.to(device)))
    return results, model
