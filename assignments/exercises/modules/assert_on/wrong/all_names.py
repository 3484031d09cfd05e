# finding: several-named
from itertools import chain

import torch


def assert_on(module, device):
    if device.type == "cuda" and device.index is None:
        device = torch.device("cuda", torch.cuda.current_device())
    tensors = chain(module.named_parameters(), module.named_buffers())
    names = [name for name, tensor in tensors if tensor.device != device]
    if names:
        raise ValueError(f"not on {device}: {', '.join(names)}")
