# finding: other-keys
import torch


def save_checkpoint(model, optimizer, path):
    while isinstance(model, (torch.nn.DataParallel, torch.nn.parallel.DistributedDataParallel)) or hasattr(model, "_orig_mod"):
        model = getattr(model, "_orig_mod", None) or model.module
    weights = {key: value for key, value in model.state_dict().items() if value.dim() > 0}
    torch.save({"model": weights, "optimizer": optimizer.state_dict()}, path)
