# finding: index-missing
from itertools import chain


def assert_on(module, device):
    for name, tensor in chain(module.named_parameters(), module.named_buffers()):
        if tensor.device != device:
            raise ValueError(f"{name} is on {tensor.device}")
