# finding: copied-in-forward
import torch
from torch import nn


class Positions(nn.Module):
    def __init__(self, factor):
        super().__init__()
        self.factor = factor

    def forward(self, batch):
        steps = torch.arange(batch.shape[1]).to(batch.device)
        return batch + self.factor * steps


def positions(factor):
    return Positions(factor)
