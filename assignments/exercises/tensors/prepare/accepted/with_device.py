import torch


def prepare(images, mean):
    with images.device:
        ones = torch.ones(len(images), 1)
    return torch.hstack([images - mean.to(images.device), ones])
