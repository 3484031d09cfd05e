# finding: other-result
import torch


def prepare(images, mean):
    ones = torch.zeros(len(images), 1, device=images.device)
    centred = images - mean.to(images.device)
    return torch.cat([centred, ones], dim=1)
