# finding: part-saved
import torch


def save_checkpoint(model, optimizer, path):
    while len(list(model.children())) == 1:
        model = next(model.children())
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, path)
