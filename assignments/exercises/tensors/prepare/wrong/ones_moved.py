# finding: created-elsewhere
import torch


def prepare(images, mean):
    ones = torch.ones(len(images), 1).to(images.device)
    centred = images - mean.to(images.device)
    return torch.cat([centred, ones], dim=1)
