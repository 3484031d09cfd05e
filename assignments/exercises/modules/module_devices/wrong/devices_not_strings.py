# finding: other-form
from itertools import chain


def module_devices(module):
    return {tensor.device for tensor in chain(module.parameters(), module.buffers())}
