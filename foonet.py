import torch
from torch import nn


class FooNet(nn.Module):
    def __init__(self, width, layers=3):
        super().__init__()
        self.linears = nn.ModuleList(nn.Linear(width, width, bias=False) for _ in range(layers))

    def forward(self, x):
        for linear in self.linears:
            x = torch.relu(linear(x))
        return x
