import torch


def assert_on(module, device):
    device = torch.empty(0, device=device).device   # torch itself puts the number in
    tensors = dict(module.named_parameters()) | dict(module.named_buffers())
    elsewhere = [name for name, tensor in tensors.items() if tensor.device != device]
    if elsewhere:
        raise ValueError(f"{elsewhere[0]} is not on {device}")
