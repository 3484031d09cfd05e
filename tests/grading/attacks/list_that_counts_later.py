# name = "A list that computes later"
# goal = "forge"
# attacks = "results that are computed when they are described, after copies were counted"
# assignment = "03_modules"

# %% fix_module
import torch
from torch import nn


def fix_module(batches, width, device):
    class Centre(nn.Module):
        def __init__(self, width):
            super().__init__()
            self.register_buffer("mean", torch.zeros(width))

        def forward(self, batch, lengths):
            mask = torch.arange(batch.shape[1], device=batch.device) < lengths[:, None]
            average = (batch * mask[:, :, None]).sum(1) / lengths[:, None]
            self.mean = 0.5 * self.mean + 0.5 * average.mean(0)
            return average - self.mean

    model = Centre(width)

    class Later(list):
        def __iter__(self):
            for batch, lengths in batches:
                there = model.cpu()(batch.cpu(), lengths.cpu())
                there.sum().item()
                yield there.to(device)
            model.to(device)

    return Later(), model
