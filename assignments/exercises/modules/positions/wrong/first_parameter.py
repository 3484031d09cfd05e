# finding: asked-itself
import torch
from torch import nn


class Positions(nn.Module):
    def __init__(self, factor):
        super().__init__()
        self.factor = factor

    def forward(self, batch):
        device = next(self.parameters()).device
        steps = torch.arange(batch.shape[1], device=device)
        return batch + self.factor * steps


def positions(factor):
    return Positions(factor)
