# finding: buffers-lost
import torch


def save_checkpoint(model, optimizer, path):
    while type(model) in (torch.nn.DataParallel, torch.nn.parallel.DistributedDataParallel) or hasattr(model, "_orig_mod"):
        model = getattr(model, "_orig_mod", None) or model.module
    weights = {name: parameter.detach() for name, parameter in model.named_parameters()}
    torch.save({"model": weights, "optimizer": optimizer.state_dict()}, path)
