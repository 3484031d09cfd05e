import torch
from torch import nn


def training_bytes(model, optimizer, device):
    found = {"parameters": 0, "buffers": 0, "gradients": 0, "states": 0}
    for p in model.parameters():
        if p.device == device:
            found["parameters"] += p.nbytes
        if p.grad is not None and p.grad.device == device:
            found["gradients"] += p.grad.nbytes
    for b in model.buffers():
        if b.device == device:
            found["buffers"] += b.nbytes
    for state in optimizer.state.values():
        for value in state.values():
            if isinstance(value, torch.Tensor) and value.device == device:
                found["states"] += value.nbytes
    return found
