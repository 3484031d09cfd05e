# finding: result-elsewhere
import torch


def prepare(images, mean):
    ones = torch.ones(len(images), 1)
    centred = images.cpu() - mean.cpu()
    return torch.cat([centred, ones], dim=1)
