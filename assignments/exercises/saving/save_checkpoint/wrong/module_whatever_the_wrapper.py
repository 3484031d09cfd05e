# finding: wrapper-assumed
import torch


def save_checkpoint(model, optimizer, path):
    wrappers = (torch.nn.DataParallel, torch.nn.parallel.DistributedDataParallel)
    while isinstance(model, wrappers) or hasattr(model, "_orig_mod"):
        model = model.module
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, path)
