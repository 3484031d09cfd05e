# finding: other-devices-counted
import torch


def training_bytes(model, optimizer, device):
    def total(tensors):
        return sum(t.nbytes for t in tensors if torch.is_tensor(t) and t.device == device)

    states = [v for s in optimizer.state.values() for v in s.values()]
    return {
        "parameters": sum(p.nbytes for p in model.parameters()),
        "buffers": total(model.buffers()),
        "gradients": total(p.grad for p in model.parameters()),
        "states": total(states),
    }
