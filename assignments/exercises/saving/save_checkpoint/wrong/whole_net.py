# finding: objects-pickled
import torch


def save_checkpoint(net, optimizer, path):
    torch.save(net, path)
