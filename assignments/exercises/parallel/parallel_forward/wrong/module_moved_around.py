# finding: module-changed
import torch


def parallel_forward(module, x, devices):
    outputs = []
    for part, device in zip(x.chunk(len(devices)), devices):
        outputs.append(module.to(device)(part.to(device)))
    return torch.cat([output.to(devices[0]) for output in outputs])
