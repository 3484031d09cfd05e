# finding: states-assumed
import torch


def training_bytes(model, optimizer, device):
    def total(tensors):
        return sum(t.nbytes for t in tensors if torch.is_tensor(t) and t.device == device)

    return {
        "parameters": total(model.parameters()),
        "buffers": total(model.buffers()),
        "gradients": total(p.grad for p in model.parameters()),
        "states": total(model.parameters()),
    }
