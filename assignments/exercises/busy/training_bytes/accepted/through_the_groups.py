import torch


def training_bytes(model, optimizer, device):
    def size(tensors):
        unique = {id(t): t for t in tensors if isinstance(t, torch.Tensor)}
        return sum(t.element_size() * t.nelement() for t in unique.values()
                   if str(t.device) == str(device))

    states = []
    for group in optimizer.param_groups:
        for p in group["params"]:
            states += optimizer.state.get(p, {}).values()
    named = dict(model.named_parameters(remove_duplicate=False))
    return dict(
        parameters=size(named.values()),
        buffers=size(dict(model.named_buffers()).values()),
        gradients=size(p.grad for p in named.values()),
        states=size(states),
    )
