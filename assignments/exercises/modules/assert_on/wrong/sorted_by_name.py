# finding: not-the-first
from itertools import chain

import torch


def assert_on(module, device):
    if device.type == "cuda" and device.index is None:
        device = torch.device("cuda", torch.cuda.current_device())
    tensors = dict(chain(module.named_parameters(), module.named_buffers()))
    for name in sorted(tensors):
        if tensors[name].device != device:
            raise ValueError(name)
