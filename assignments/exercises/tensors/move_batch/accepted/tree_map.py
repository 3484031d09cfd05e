import torch
from torch.utils._pytree import tree_map


def move_batch(batch, device):
    return tree_map(lambda x: x.to(device) if isinstance(x, torch.Tensor) else x, batch)
