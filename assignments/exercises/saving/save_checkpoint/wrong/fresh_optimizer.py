# finding: optimizer-state-lost
import torch


def save_checkpoint(model, optimizer, path):
    while type(model) in (torch.nn.DataParallel, torch.nn.parallel.DistributedDataParallel) or hasattr(model, "_orig_mod"):
        model = getattr(model, "_orig_mod", None) or model.module
    fresh = type(optimizer)(model.parameters(), lr=optimizer.param_groups[0]["lr"])
    torch.save({"model": model.state_dict(), "optimizer": fresh.state_dict()}, path)
