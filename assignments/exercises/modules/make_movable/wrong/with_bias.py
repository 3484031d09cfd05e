# finding: bias-added
import torch
from torch import nn


def make_movable(size, depth):
    class Movable(nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = nn.ModuleList(nn.Linear(size, size) for _ in range(depth))
            self.register_buffer("mask", torch.tril(torch.ones(size, size)), persistent=False)
            self.register_buffer("scale", torch.full((size,), 0.5))

        def forward(self, x):
            for layer in self.layers:
                x = torch.relu(layer(x))
            return x @ self.mask * self.scale

    return Movable()
