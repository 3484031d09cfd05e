# finding: keeps-tensors
import torch
from torch import nn


class Positions(nn.Module):
    def __init__(self, factor):
        super().__init__()
        self.factor = factor
        self.scale = nn.Parameter(torch.tensor(factor))

    def forward(self, batch):
        steps = torch.arange(batch.shape[1], device=self.scale.device)
        return batch + self.factor * steps


def positions(factor):
    return Positions(factor)
