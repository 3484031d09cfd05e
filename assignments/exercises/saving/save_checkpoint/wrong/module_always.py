# finding: wrapper-assumed
import torch


def save_checkpoint(model, optimizer, path):
    torch.save({"model": model.module.state_dict(), "optimizer": optimizer.state_dict()}, path)
