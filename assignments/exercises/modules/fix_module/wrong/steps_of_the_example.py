# finding: later-raised
import torch
from torch import nn


class Centre(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.register_buffer("mean", torch.zeros(width))
        self.register_buffer("positions", torch.arange(5), persistent=False)

    def forward(self, batch, lengths):
        mask = self.positions[: batch.shape[1]] < lengths[:, None]
        average = (batch * mask[:, :, None]).sum(1) / lengths[:, None]
        self.mean = 0.5 * self.mean + 0.5 * average.mean(0)
        return average - self.mean


def fix_module(batches, width, device):
    model = Centre(width).to(device)
    results = []
    for batch, lengths in batches:
        results.append(model(batch.to(device), lengths.to(device)))
    return results, model
