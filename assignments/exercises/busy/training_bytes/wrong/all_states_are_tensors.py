# finding: state-is-no-tensor
import torch


def training_bytes(model, optimizer, device):
    def total(tensors):
        return sum(t.nbytes for t in tensors if t.device == device)

    return {
        "parameters": total(model.parameters()),
        "buffers": total(model.buffers()),
        "gradients": total(p.grad for p in model.parameters() if p.grad is not None),
        "states": total(v for s in optimizer.state.values() for v in s.values()),
    }
