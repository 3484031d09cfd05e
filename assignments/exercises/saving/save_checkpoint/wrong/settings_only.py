# finding: optimizer-state-lost
import torch


def save_checkpoint(model, optimizer, path):
    while isinstance(model, (torch.nn.DataParallel, torch.nn.parallel.DistributedDataParallel)) or hasattr(model, "_orig_mod"):
        model = getattr(model, "_orig_mod", None) or model.module
    groups = optimizer.state_dict()["param_groups"]
    torch.save({"model": model.state_dict(), "optimizer": {"state": {}, "param_groups": groups}}, path)
