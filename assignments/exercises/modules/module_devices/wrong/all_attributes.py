# finding: unregistered-counted
from itertools import chain

import torch


def module_devices(module):
    tensors = list(chain(module.parameters(), module.buffers()))
    for part in module.modules():
        tensors += [value for value in vars(part).values() if isinstance(value, torch.Tensor)]
    return {str(tensor.device) for tensor in tensors}
