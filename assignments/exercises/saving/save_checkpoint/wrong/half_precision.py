# finding: values-changed
import torch


def save_checkpoint(model, optimizer, path):
    while type(model) in (torch.nn.DataParallel, torch.nn.parallel.DistributedDataParallel) or hasattr(model, "_orig_mod"):
        model = getattr(model, "_orig_mod", None) or model.module
    weights = {key: value.half() for key, value in model.state_dict().items()}
    torch.save({"model": weights, "optimizer": optimizer.state_dict()}, path)
