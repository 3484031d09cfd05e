# finding: one-wrapper-only
import torch


def save_checkpoint(net, optimizer, path):
    if isinstance(net, (torch.nn.DataParallel, torch.nn.parallel.DistributedDataParallel)):
        net = net.module
    elif hasattr(net, "_orig_mod"):
        net = net._orig_mod
    torch.save({"model": net.state_dict(), "optimizer": optimizer.state_dict()}, path)
