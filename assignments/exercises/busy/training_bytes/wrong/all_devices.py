# finding: other-devices-counted
import torch


def training_bytes(model, optimizer, device):
    return {
        "parameters": sum(p.nbytes for p in model.parameters()),
        "buffers": sum(b.nbytes for b in model.buffers()),
        "gradients": sum(p.grad.nbytes for p in model.parameters() if p.grad is not None),
        "states": sum(v.nbytes for s in optimizer.state.values() for v in s.values()
                      if torch.is_tensor(v)),
    }
