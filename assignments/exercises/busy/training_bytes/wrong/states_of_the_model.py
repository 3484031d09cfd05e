# finding: states-missed
import torch

def training_bytes(model, optimizer, device):
    def size(tensors):
        return sum(t.nbytes for t in tensors if t.device == device)
    ps = list(model.parameters())
    states = [v for p in ps for v in optimizer.state.get(p, {}).values() if torch.is_tensor(v)]
    return {"parameters": size(ps), "buffers": size(model.buffers()),
            "gradients": size(p.grad for p in ps if p.grad is not None),
            "states": size(states)}
