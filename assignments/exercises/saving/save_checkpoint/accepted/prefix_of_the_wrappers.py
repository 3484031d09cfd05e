import torch


def save_checkpoint(model, optimizer, path):
    prefix, inner = "", model
    while True:
        if isinstance(inner, (torch.nn.DataParallel, torch.nn.parallel.DistributedDataParallel)):
            prefix, inner = prefix + "module.", inner.module
        elif hasattr(inner, "_orig_mod"):
            prefix, inner = prefix + "_orig_mod.", inner._orig_mod
        else:
            break
    weights = {key[len(prefix):]: value for key, value in model.state_dict().items()}
    torch.save({"model": weights, "optimizer": optimizer.state_dict()}, path)
