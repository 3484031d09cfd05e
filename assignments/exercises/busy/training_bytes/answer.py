import torch
from torch import nn


def training_bytes(model, optimizer, device):
    """Return how many bytes of parameters, buffers, gradients and states are on device."""

    ### BEGIN SOLUTION
    def total(tensors):
        return sum(t.numel() * t.element_size() for t in tensors if t.device == device)

    parameters = list(model.parameters())  # one that is used twice is in the list once
    states = [value for state in optimizer.state.values() for value in state.values()]
    return {
        "parameters": total(parameters),
        "buffers": total(model.buffers()),
        "gradients": total(p.grad for p in parameters if p.grad is not None),
        "states": total(value for value in states if torch.is_tensor(value)),
    }
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# model = nn.Linear(1000, 10).to(devices[0])
# optimizer = torch.optim.Adam(model.parameters())
# print(training_bytes(model, optimizer, devices[0]))
# model(torch.randn(8, 1000, device=devices[0])).sum().backward()
# optimizer.step()
# print(training_bytes(model, optimizer, devices[0]))
