# finding: frozen-since-left-out
import torch
from torch import nn


def training_bytes(model, optimizer, device):
    """Return how many bytes of parameters, buffers, gradients and states are on device."""

    def total(tensors):
        return sum(t.numel() * t.element_size() for t in tensors if t.device == device)

    parameters = list(model.parameters())
    states = [value for state in optimizer.state.values() for value in state.values()]
    return {
        "parameters": total(parameters),
        "buffers": total(model.buffers()),
        "gradients": total(p.grad for p in parameters if p.requires_grad and p.grad is not None),
        "states": total(value for value in states if torch.is_tensor(value)),
    }
