# finding: empty-module
from itertools import chain


def module_devices(module):
    devices = {str(tensor.device) for tensor in chain(module.parameters(), module.buffers())}
    return devices or {"cpu"}
