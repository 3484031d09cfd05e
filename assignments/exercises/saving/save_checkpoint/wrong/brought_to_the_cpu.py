# finding: net-changed
import torch


def save_checkpoint(net, optimizer, path):
    while type(net) in (torch.nn.DataParallel, torch.nn.parallel.DistributedDataParallel) or hasattr(net, "_orig_mod"):
        net = getattr(net, "_orig_mod", None) or net.module
    net.cpu()
    torch.save({"model": net.state_dict(), "optimizer": optimizer.state_dict()}, path)
