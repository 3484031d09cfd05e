# finding: state-is-no-tensor
import torch
from torch import nn


def training_bytes(model, optimizer, device):

    def size(tensors):
        return sum(t.numel() * t.element_size() for t in tensors if t.device == device)

    return {
        "parameters": size(model.parameters()),
        "buffers": size(model.buffers()),
        "gradients": size(p.grad for p in model.parameters() if p.grad is not None),
        "states": size(v for v in torch.utils._pytree.tree_leaves([dict(s) for s in optimizer.state.values()]) if torch.is_tensor(v)),
    }
