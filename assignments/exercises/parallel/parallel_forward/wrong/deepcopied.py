# finding: gradients-lost
import copy

import torch


def parallel_forward(module, x, devices):
    outputs = []
    for part, device in zip(x.chunk(len(devices)), devices):
        replica = copy.deepcopy(module).to(device)
        outputs.append(replica(part.to(device)).to(devices[0]))
    return torch.cat(outputs)
