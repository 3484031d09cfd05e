# finding: keeps-tensors
import torch
from torch import nn


class Positions(nn.Module):
    def __init__(self, factor):
        super().__init__()
        self.factor = factor
        self.register_buffer("steps", torch.arange(1000))

    def forward(self, batch):
        return batch + self.factor * self.steps[: batch.shape[1]]


def positions(factor):
    return Positions(factor)
