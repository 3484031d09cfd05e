# finding: not-a-checkpoint
import json

import torch


def save_checkpoint(model, optimizer, path):
    while type(model) in (torch.nn.DataParallel, torch.nn.parallel.DistributedDataParallel) or hasattr(model, "_orig_mod"):
        model = getattr(model, "_orig_mod", None) or model.module
    with open(path, "w") as file:
        json.dump({key: value.tolist() for key, value in model.state_dict().items()}, file)
