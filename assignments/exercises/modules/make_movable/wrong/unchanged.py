# finding: layers-in-a-list
import torch
from torch import nn


def make_movable(size, depth):
    class Movable(nn.Module):
        def __init__(self):
            super().__init__()
            self.mask = torch.tril(torch.ones(size, size))
            self.layers = [nn.Linear(size, size, bias=False) for _ in range(depth)]
            self.cache = {"scale": torch.full((size,), 0.5)}

        def forward(self, x):
            for layer in self.layers:
                x = torch.relu(layer(x))
            return x @ self.mask * self.cache["scale"]

    return Movable()
