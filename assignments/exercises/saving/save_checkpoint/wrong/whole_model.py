# finding: objects-pickled
import torch


def save_checkpoint(model, optimizer, path):
    torch.save(model, path)
