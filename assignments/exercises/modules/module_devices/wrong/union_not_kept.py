# finding: nothing-collected
from itertools import chain


def module_devices(module):
    devices = set()
    for tensor in chain(module.parameters(), module.buffers()):
        devices.union({str(tensor.device)})
    return devices
