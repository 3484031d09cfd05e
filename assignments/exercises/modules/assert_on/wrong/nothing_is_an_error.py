# finding: raised-needlessly
from itertools import chain

import torch


def assert_on(module, device):
    if device.type == "cuda" and device.index is None:
        device = torch.device("cuda", torch.cuda.current_device())
    tensors = list(chain(module.named_parameters(), module.named_buffers()))
    if not tensors:
        raise ValueError("the module holds no tensor")
    for name, tensor in tensors:
        if tensor.device != device:
            raise ValueError(name)
