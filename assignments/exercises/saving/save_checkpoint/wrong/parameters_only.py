# finding: buffers-lost
import torch


def save_checkpoint(net, optimizer, path):
    while type(net) in (torch.nn.DataParallel, torch.nn.parallel.DistributedDataParallel) or hasattr(net, "_orig_mod"):
        net = getattr(net, "_orig_mod", None) or net.module
    model = {name: parameter.detach() for name, parameter in net.named_parameters()}
    torch.save({"model": model, "optimizer": optimizer.state_dict()}, path)
