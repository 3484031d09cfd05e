# finding: other-devices-counted
import torch


def training_bytes(model, optimizer, device):
    here = [p for p in model.parameters() if p.device == device]
    return {
        "parameters": sum(p.nbytes for p in here),
        "buffers": sum(b.nbytes for b in model.buffers() if b.device == device),
        "gradients": sum(p.grad.nbytes for p in here if p.grad is not None),
        "states": sum(v.nbytes for p in here for v in optimizer.state.get(p, {}).values()
                      if torch.is_tensor(v)),
    }
