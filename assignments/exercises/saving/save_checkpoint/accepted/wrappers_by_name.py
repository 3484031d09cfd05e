import torch


def save_checkpoint(net, optimizer, path):
    names = {"DataParallel": "module", "DistributedDataParallel": "module", "OptimizedModule": "_orig_mod"}
    while type(net).__name__ in names:
        net = getattr(net, names[type(net).__name__])
    content = {"optimizer": optimizer.state_dict(), "model": dict(net.state_dict())}
    with open(path, "wb") as file:
        torch.save(content, file)
