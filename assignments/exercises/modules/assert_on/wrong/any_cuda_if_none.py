# finding: index-ignored
from itertools import chain


def assert_on(module, device):
    for name, tensor in chain(module.named_parameters(), module.named_buffers()):
        same = tensor.device.type == device.type
        if not same or (device.index is not None and tensor.device != device):
            raise ValueError(name)
