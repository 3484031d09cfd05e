# finding: other-result
import torch
from torch.nn.parallel import replicate, scatter


def parallel_forward(module, x, devices):
    parts = scatter(x, devices)
    replicas = replicate(module, devices[:len(parts)])
    outputs = [replica(part).to(devices[0]) / len(parts) for replica, part in zip(replicas, parts)]
    return torch.cat(outputs)
