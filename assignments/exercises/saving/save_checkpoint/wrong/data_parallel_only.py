# finding: prefixed-keys
import torch


def save_checkpoint(model, optimizer, path):
    while isinstance(model, torch.nn.DataParallel) or hasattr(model, "_orig_mod"):
        model = model.module if isinstance(model, torch.nn.DataParallel) else model._orig_mod
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, path)
