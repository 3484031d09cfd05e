# finding: submodules-missed
from itertools import chain


def module_devices(module):
    devices = set()
    for part in [module, *module.children()]:
        own = chain(part.parameters(recurse=False), part.buffers(recurse=False))
        devices |= {str(tensor.device) for tensor in own}
    return devices
