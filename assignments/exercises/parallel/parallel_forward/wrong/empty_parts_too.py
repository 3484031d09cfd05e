# finding: more-replicas-than-parts
import torch
from torch.nn.parallel import replicate


def parallel_forward(module, x, devices):
    size = -(-len(x) // len(devices))
    parts = [x[i * size:(i + 1) * size].to(device) for i, device in enumerate(devices)]
    outputs = [replica(part) for replica, part in zip(replicate(module, devices), parts)]
    return torch.cat([output.to(devices[0]) for output in outputs])
