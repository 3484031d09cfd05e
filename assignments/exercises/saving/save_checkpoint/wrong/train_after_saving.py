# finding: training-flag-changed
import torch


def save_checkpoint(model, optimizer, path):
    bare = model
    while isinstance(bare, (torch.nn.DataParallel, torch.nn.parallel.DistributedDataParallel)) or hasattr(bare, "_orig_mod"):
        bare = getattr(bare, "_orig_mod", None) or bare.module
    model.eval()
    torch.save({"model": bare.state_dict(), "optimizer": optimizer.state_dict()}, path)
    model.train()
