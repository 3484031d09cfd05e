# finding: no-file
import torch


def save_checkpoint(net, optimizer, path):
    while type(net) in (torch.nn.DataParallel, torch.nn.parallel.DistributedDataParallel) or hasattr(net, "_orig_mod"):
        net = getattr(net, "_orig_mod", None) or net.module
    return {"model": net.state_dict(), "optimizer": optimizer.state_dict()}
