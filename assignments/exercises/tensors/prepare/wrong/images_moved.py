# finding: images-travel
import torch


def prepare(images, mean):
    ones = torch.ones(len(images), 1, device=images.device)
    centred = (images.cpu() - mean.cpu()).to(images.device)
    return torch.cat([centred, ones], dim=1)
