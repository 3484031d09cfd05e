# finding: prefixed-keys
import torch


def save_checkpoint(net, optimizer, path):
    while isinstance(net, torch.nn.DataParallel) or hasattr(net, "_orig_mod"):
        net = net.module if isinstance(net, torch.nn.DataParallel) else net._orig_mod
    torch.save({"model": net.state_dict(), "optimizer": optimizer.state_dict()}, path)
