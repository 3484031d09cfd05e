# finding: other-bytes
import torch
from torch import nn


def training_bytes(model, optimizer, device):

    def size(tensors):
        return sum(t.untyped_storage().nbytes() for t in tensors if t.device == device)

    return {
        "parameters": size(model.parameters()),
        "buffers": size(model.buffers()),
        "gradients": size(p.grad for p in model.parameters() if p.grad is not None),
        "states": size(v for s in optimizer.state.values() for v in s.values() if torch.is_tensor(v)),
    }
