# finding: child-saved
import torch


def save_checkpoint(net, optimizer, path):
    while hasattr(net, "module") or hasattr(net, "_orig_mod"):
        net = net.module if hasattr(net, "module") else net._orig_mod
    torch.save({"model": net.state_dict(), "optimizer": optimizer.state_dict()}, path)
