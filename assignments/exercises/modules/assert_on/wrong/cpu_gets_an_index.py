# finding: cpu-refused
from itertools import chain

import torch


def assert_on(module, device):
    if device.index is None:
        device = torch.device("cuda", torch.cuda.current_device())
    for name, tensor in chain(module.named_parameters(), module.named_buffers()):
        if tensor.device != device:
            raise ValueError(name)
