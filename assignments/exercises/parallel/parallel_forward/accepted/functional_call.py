from itertools import chain

import torch
from torch.func import functional_call


def parallel_forward(module, x, devices):
    outputs = []
    for part, device in zip(x.chunk(len(devices)), devices):
        tensors = chain(module.named_parameters(), module.named_buffers())
        replica = {name: tensor.to(device) for name, tensor in tensors}
        outputs.append(functional_call(module, replica, part.to(device)))
    return torch.cat([output.to(devices[0]) for output in outputs])
