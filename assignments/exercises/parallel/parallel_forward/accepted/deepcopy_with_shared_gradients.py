import copy

import torch


def parallel_forward(module, x, devices):
    outputs = []
    for part, device in zip(x.chunk(len(devices)), devices):
        replica = copy.deepcopy(module).to(device)
        for name, parameter in module.named_parameters():
            owner, _, leaf = name.rpartition(".")
            owner = replica.get_submodule(owner)
            del owner._parameters[leaf]
            setattr(owner, leaf, parameter.to(device))
        outputs.append(replica(part.to(device)).to(devices[0]))
    return torch.cat(outputs)
