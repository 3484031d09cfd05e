# finding: part-saved
import torch


def save_checkpoint(model, optimizer, path):
    while hasattr(model, "module") or hasattr(model, "_orig_mod"):
        model = model.module if hasattr(model, "module") else model._orig_mod
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, path)
