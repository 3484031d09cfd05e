# finding: part-met-other-device
import torch
from torch.nn.parallel import replicate


def parallel_forward(module, x, devices):
    parts = x.to(devices[0]).chunk(len(devices))
    replicas = replicate(module, devices[:len(parts)])
    outputs = [replica(part) for replica, part in zip(replicas, parts)]
    return torch.cat([output.to(devices[0]) for output in outputs])
