# finding: module-changed
import torch


def parallel_forward(module, x, devices):
    outputs = []
    for part, device in zip(x.chunk(len(devices)), devices):
        outputs.append(module.to(device)(part.to(device)).to(devices[0]))
    module.to(devices[0])
    return torch.cat(outputs)
