import torch


def save_checkpoint(net, optimizer, path):
    if hasattr(net, "_orig_mod"):
        return save_checkpoint(net._orig_mod, optimizer, path)
    if isinstance(net, (torch.nn.DataParallel, torch.nn.parallel.DistributedDataParallel)):
        return save_checkpoint(net.module, optimizer, path)
    model = {key: value.detach().cpu() for key, value in net.state_dict().items()}
    torch.save({"model": model, "optimizer": optimizer.state_dict(), "version": 1}, path)
