# finding: memory-taken
import torch

def training_bytes(model, optimizer, device):
    def size(tensors):
        return sum(int(torch.ones_like(t).sum()) * t.element_size() for t in tensors if t.device == device)
    return {"parameters": size(model.parameters()), "buffers": size(model.buffers()),
            "gradients": size(p.grad for p in model.parameters() if p.grad is not None),
            "states": size(v for s in optimizer.state.values() for v in s.values() if torch.is_tensor(v))}
