# finding: optimizer-state-lost
import torch


def save_checkpoint(net, optimizer, path):
    while type(net) in (torch.nn.DataParallel, torch.nn.parallel.DistributedDataParallel) or hasattr(net, "_orig_mod"):
        net = getattr(net, "_orig_mod", None) or net.module
    fresh = type(optimizer)(net.parameters(), lr=optimizer.param_groups[0]["lr"])
    torch.save({"model": net.state_dict(), "optimizer": fresh.state_dict()}, path)
