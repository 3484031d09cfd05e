import torch


def save_checkpoint(model, optimizer, path):
    names = {"DataParallel": "module", "DistributedDataParallel": "module", "OptimizedModule": "_orig_mod"}
    while type(model).__name__ in names:
        model = getattr(model, names[type(model).__name__])
    content = {"optimizer": optimizer.state_dict(), "model": dict(model.state_dict())}
    with open(path, "wb") as file:
        torch.save(content, file)
