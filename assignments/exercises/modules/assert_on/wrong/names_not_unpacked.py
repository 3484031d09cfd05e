# outcome: raised
from itertools import chain

import torch


def assert_on(module, device):
    if device.type == "cuda" and device.index is None:
        device = torch.device("cuda", torch.cuda.current_device())
    for name, tensor in chain(module.parameters(), module.buffers()):
        if tensor.device != device:
            raise ValueError(name)
