# finding: mean-trained
import torch
from torch import nn


class Centre(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.mean = nn.Parameter(torch.zeros(width), requires_grad=False)

    def forward(self, batch, lengths):
        mask = torch.arange(batch.shape[1], device=batch.device) < lengths[:, None]
        average = (batch * mask[:, :, None]).sum(1) / lengths[:, None]
        self.mean.data = 0.5 * self.mean.data + 0.5 * average.mean(0)
        return average - self.mean


def fix_module(batches, width, device):
    model = Centre(width).to(device)
    results = []
    for batch, lengths in batches:
        results.append(model(batch.to(device), lengths.to(device)))
    return results, model
