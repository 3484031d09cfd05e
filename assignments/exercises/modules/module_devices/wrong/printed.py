# finding: nothing-returned
from itertools import chain


def module_devices(module):
    print({str(tensor.device) for tensor in chain(module.parameters(), module.buffers())})
