# finding: part-met-other-device
import torch


def parallel_forward(module, x, devices):
    outputs = [module(part.to(device)) for part, device in zip(x.chunk(len(devices)), devices)]
    return torch.cat([output.to(devices[0]) for output in outputs])
