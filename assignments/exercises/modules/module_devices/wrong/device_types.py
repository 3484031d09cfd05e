# finding: number-lost
from itertools import chain


def module_devices(module):
    return {tensor.device.type for tensor in chain(module.parameters(), module.buffers())}
