import torch

def training_bytes(model, optimizer, device):
    def size(tensors):
        return sum(t.nbytes for t in tensors if t.device == device)
    return {"parameters": size(model.parameters()), "buffers": size(model.buffers()),
            "gradients": size(p.grad for p in model.parameters() if p.grad is not None),
            "states": size(v for g in optimizer.param_groups for p in g["params"] for v in optimizer.state[p].values() if torch.is_tensor(v))}
