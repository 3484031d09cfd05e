# finding: buffers-by-the-parameters
import torch


def training_bytes(model, optimizer, device):
    def total(tensors):
        return sum(t.nbytes for t in tensors if torch.is_tensor(t) and t.device == device)

    states = [v for s in optimizer.state.values() for v in s.values()]
    return {
        "parameters": total(model.parameters()),
        "buffers": total(p for p in model.parameters() if not isinstance(p, torch.nn.Parameter)),
        "gradients": total(p.grad for p in model.parameters()),
        "states": total(states),
    }
