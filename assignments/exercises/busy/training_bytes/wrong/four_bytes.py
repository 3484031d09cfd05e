# finding: four-bytes-assumed
import torch


def training_bytes(model, optimizer, device):
    def total(tensors):
        return sum(4 * t.numel() for t in tensors if torch.is_tensor(t) and t.device == device)

    states = [v for s in optimizer.state.values() for v in s.values()]
    return {
        "parameters": total(model.parameters()),
        "buffers": sum(b.nbytes for b in model.buffers() if b.device == device),
        "gradients": total(p.grad for p in model.parameters()),
        "states": total(states),
    }
