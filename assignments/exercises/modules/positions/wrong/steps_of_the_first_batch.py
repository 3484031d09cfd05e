# finding: call-fails
import torch
from torch import nn


class Positions(nn.Module):
    def __init__(self, factor):
        super().__init__()
        self.factor = factor
        self.steps = None

    def forward(self, batch):
        if self.steps is None or self.steps.device != batch.device:
            self.steps = torch.arange(batch.shape[1], device=batch.device)
        return batch + self.factor * self.steps


def positions(factor):
    return Positions(factor)
