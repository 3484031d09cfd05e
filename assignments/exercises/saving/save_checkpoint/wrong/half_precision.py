# finding: values-wrong
import torch


def save_checkpoint(net, optimizer, path):
    while type(net) in (torch.nn.DataParallel, torch.nn.parallel.DistributedDataParallel) or hasattr(net, "_orig_mod"):
        net = getattr(net, "_orig_mod", None) or net.module
    model = {key: value.half() for key, value in net.state_dict().items()}
    torch.save({"model": model, "optimizer": optimizer.state_dict()}, path)
