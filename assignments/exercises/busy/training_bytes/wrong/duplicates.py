# finding: counted-twice
import torch


def training_bytes(model, optimizer, device):
    def total(tensors):
        return sum(t.nbytes for t in tensors if torch.is_tensor(t) and t.device == device)

    parameters = [p for module in model.modules() for p in module.parameters(recurse=False)]
    states = [v for s in optimizer.state.values() for v in s.values()]
    return {
        "parameters": total(parameters),
        "buffers": total(model.buffers()),
        "gradients": total(p.grad for p in parameters),
        "states": total(states),
    }
