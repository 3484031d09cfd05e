# %% looked_up
import torch

def training_bytes(model, optimizer, device):
    def size(tensors):
        return sum(t.nbytes for t in tensors if t.device == device)
    return {"parameters": size(model.parameters()), "buffers": size(model.buffers()),
            "gradients": size(p.grad for p in model.parameters() if p.grad is not None),
            "states": size(v for g in optimizer.param_groups for p in g["params"] for v in optimizer.state[p].values() if torch.is_tensor(v))}

# %% numbers_of_numpy
import numpy
import torch


def training_bytes(model, optimizer, device):
    def total(tensors):
        sizes = [numpy.prod(t.shape, dtype=int) * t.element_size() for t in tensors if t.device == device]
        return numpy.sum(sizes, dtype=numpy.int64)

    states = [v for state in optimizer.state.values() for v in state.values() if torch.is_tensor(v)]
    return {
        "parameters": total(model.parameters()),
        "buffers": total(model.buffers()),
        "gradients": total(p.grad for p in model.parameters() if p.grad is not None),
        "states": total(states),
    }
