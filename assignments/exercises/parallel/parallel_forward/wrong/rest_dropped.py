# finding: other-parts
import torch
from torch.nn.parallel import replicate


def parallel_forward(module, x, devices):
    size = max(1, len(x) // len(devices))
    parts = [x[i * size:(i + 1) * size].to(device) for i, device in enumerate(devices)]
    parts = [part for part in parts if len(part)]
    replicas = replicate(module, devices[:len(parts)])
    outputs = [replica(part) for replica, part in zip(replicas, parts)]
    return torch.cat([output.to(devices[0]) for output in outputs])
