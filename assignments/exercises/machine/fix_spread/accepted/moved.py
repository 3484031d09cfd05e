import torch


def fix_spread(parts, gpus):
    tensors = [torch.tensor(part) for part in parts]
    tensors[:gpus] = [tensor.to(torch.device(i)) for i, tensor in enumerate(tensors[:gpus])]
    return tensors
