from itertools import chain


def module_devices(module):
    tensors = chain(module.parameters(), module.buffers())
    return frozenset(map(str, (tensor.device for tensor in tensors)))
