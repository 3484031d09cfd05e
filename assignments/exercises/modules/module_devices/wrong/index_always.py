# finding: other-devices
from itertools import chain


def module_devices(module):
    tensors = chain(module.parameters(), module.buffers())
    return {f"cuda:{tensor.device.index}" for tensor in tensors}
