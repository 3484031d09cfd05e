# finding: updated-only
import torch

def training_bytes(model, optimizer, device):
    def size(tensors):
        return sum(t.nbytes for t in tensors if t.device == device)
    ps = [p for g in optimizer.param_groups for p in g["params"]]
    return {"parameters": size(ps), "buffers": size(model.buffers()),
            "gradients": size(p.grad for p in ps if p.grad is not None),
            "states": size(v for s in optimizer.state.values() for v in s.values() if torch.is_tensor(v))}
