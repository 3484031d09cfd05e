# finding: input-changed
import torch


def prepare(images, mean):
    ones = torch.ones(len(images), 1, device=images.device)
    images -= mean.to(images.device)
    return torch.cat([images, ones], dim=1)
