# finding: nothing-collected
from itertools import chain


def module_devices(module):
    own = chain(module.parameters(recurse=False), module.buffers(recurse=False))
    return {str(tensor.device) for tensor in own}
