import torch
from torch import nn


def make_movable(size, depth):
    """Return a new module, as above, that can be moved."""

    ### BEGIN SOLUTION
    class Movable(nn.Module):
        def __init__(self):
            super().__init__()
            # `to` reaches what is registered, and nothing else. A ModuleList registers its
            # layers; a buffer is a registered tensor that is not trained.
            layers = [nn.Linear(size, size, bias=False) for _ in range(depth)]
            self.layers = nn.ModuleList(layers)
            self.register_buffer("mask", torch.tril(torch.ones(size, size)), persistent=False)
            self.register_buffer("scale", torch.full((size,), 0.5))

        def forward(self, x):
            for layer in self.layers:
                x = torch.relu(layer(x))
            return x @ self.mask * self.scale

    return Movable()
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# net = make_movable(3, 2).to(devices[1])
# print(list(net.state_dict()), [name for name, _ in net.named_parameters()])
# net(torch.ones(1, 3, device=devices[1]))
