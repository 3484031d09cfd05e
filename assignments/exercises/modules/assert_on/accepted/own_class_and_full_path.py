from itertools import chain

import torch


class ElsewhereError(ValueError):
    def __init__(self, name):
        super().__init__(f"look at module.{name}.device")


def assert_on(module, device):
    if str(device) == "cuda":
        device = torch.device("cuda", torch.cuda.current_device())
    for name, tensor in chain(module.named_parameters(), module.named_buffers()):
        if str(tensor.device) != str(device):
            raise ElsewhereError(name)
