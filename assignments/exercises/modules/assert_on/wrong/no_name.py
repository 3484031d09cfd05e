# finding: name-missing
from itertools import chain

import torch


def assert_on(module, device):
    if device.type == "cuda" and device.index is None:
        device = torch.device("cuda", torch.cuda.current_device())
    if any(t.device != device for t in chain(module.parameters(), module.buffers())):
        raise ValueError(f"the module is not on {device}")
