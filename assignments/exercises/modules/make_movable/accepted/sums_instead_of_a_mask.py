import torch
from torch import nn


def make_movable(size, depth):
    class Movable(nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = nn.ModuleList(nn.Linear(size, size, bias=False) for _ in range(depth))
            self.register_buffer("scale", torch.full((size,), 0.5))

        def forward(self, x):
            for layer in self.layers:
                x = torch.relu(layer(x))
            return x.flip(-1).cumsum(-1).flip(-1) * self.scale

    return Movable()
