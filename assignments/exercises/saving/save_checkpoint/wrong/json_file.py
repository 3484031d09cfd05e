# finding: not-a-checkpoint
import json

import torch


def save_checkpoint(net, optimizer, path):
    while type(net) in (torch.nn.DataParallel, torch.nn.parallel.DistributedDataParallel) or hasattr(net, "_orig_mod"):
        net = getattr(net, "_orig_mod", None) or net.module
    with open(path, "w") as file:
        json.dump({key: value.tolist() for key, value in net.state_dict().items()}, file)
