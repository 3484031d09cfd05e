# finding: no-file
import torch


def save_checkpoint(model, optimizer, path):
    while type(model) in (torch.nn.DataParallel, torch.nn.parallel.DistributedDataParallel) or hasattr(model, "_orig_mod"):
        model = getattr(model, "_orig_mod", None) or model.module
    torch.save(path, {"model": model.state_dict(), "optimizer": optimizer.state_dict()})
