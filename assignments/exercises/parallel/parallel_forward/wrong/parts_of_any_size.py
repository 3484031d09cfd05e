# finding: other-parts
import torch
from torch.nn.parallel import replicate


def parallel_forward(module, x, devices):
    parts = [part.to(d) for part, d in zip(torch.tensor_split(x, len(devices)), devices) if len(part)]
    replicas = replicate(module, devices[:len(parts)])
    outputs = [replica(part) for replica, part in zip(replicas, parts)]
    return torch.cat([output.to(devices[0]) for output in outputs])
