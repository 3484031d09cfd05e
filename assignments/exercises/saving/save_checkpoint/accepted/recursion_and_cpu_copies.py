import torch


def save_checkpoint(model, optimizer, path):
    if hasattr(model, "_orig_mod"):
        return save_checkpoint(model._orig_mod, optimizer, path)
    if isinstance(model, (torch.nn.DataParallel, torch.nn.parallel.DistributedDataParallel)):
        return save_checkpoint(model.module, optimizer, path)
    weights = {key: value.detach().cpu() for key, value in model.state_dict().items()}
    torch.save({"model": weights, "optimizer": optimizer.state_dict(), "version": 1}, path)
