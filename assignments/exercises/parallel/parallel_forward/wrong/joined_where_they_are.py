# finding: joined-while-apart
import torch
from torch.nn.parallel import replicate, scatter


def parallel_forward(module, x, devices):
    parts = scatter(x, devices)
    replicas = replicate(module, devices[:len(parts)])
    return torch.cat([replica(part) for replica, part in zip(replicas, parts)])
