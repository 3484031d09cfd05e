# finding: number-read
import torch
from torch import nn


class Centre(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.register_buffer("mean", torch.zeros(width))

    def forward(self, batch, lengths):
        average = torch.stack([row[:n].mean(0) for row, n in zip(batch, lengths)])
        self.mean = 0.5 * self.mean + 0.5 * average.mean(0)
        return average - self.mean


def mend_module(batches, width, device):
    model = Centre(width).to(device)
    results = []
    for batch, lengths in batches:
        results.append(model(batch.to(device), lengths.to(device)))
    return results, model
