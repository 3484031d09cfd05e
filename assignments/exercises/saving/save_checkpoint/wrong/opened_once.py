# finding: wrapper-left
import torch


def save_checkpoint(model, optimizer, path):
    if isinstance(model, (torch.nn.DataParallel, torch.nn.parallel.DistributedDataParallel)):
        model = model.module
    elif hasattr(model, "_orig_mod"):
        model = model._orig_mod
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, path)
