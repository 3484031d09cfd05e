# finding: other-keys
import torch
from torch import nn


def make_movable(size, depth):
    class Movable(nn.Module):
        def __init__(self):
            super().__init__()
            parts = []
            for _ in range(depth):
                parts += [nn.Linear(size, size, bias=False), nn.ReLU()]
            self.layers = nn.Sequential(*parts)
            self.register_buffer("mask", torch.tril(torch.ones(size, size)), persistent=False)
            self.register_buffer("scale", torch.full((size,), 0.5))

        def forward(self, x):
            return self.layers(x) @ self.mask * self.scale

    return Movable()
