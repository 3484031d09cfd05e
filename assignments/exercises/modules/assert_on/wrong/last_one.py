# finding: not-the-first
from itertools import chain

import torch


def assert_on(module, device):
    if device.type == "cuda" and device.index is None:
        device = torch.device("cuda", torch.cuda.current_device())
    elsewhere = None
    for name, tensor in chain(module.named_parameters(), module.named_buffers()):
        if tensor.device != device:
            elsewhere = name
    if elsewhere:
        raise ValueError(elsewhere)
