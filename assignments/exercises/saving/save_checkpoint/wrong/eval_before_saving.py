# finding: training-flag-changed
import torch


def save_checkpoint(model, optimizer, path):
    while isinstance(model, (torch.nn.DataParallel, torch.nn.parallel.DistributedDataParallel)) or hasattr(model, "_orig_mod"):
        model = getattr(model, "_orig_mod", None) or model.module
    model.eval()
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, path)
