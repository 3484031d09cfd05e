# finding: mismatch-left
import torch


def prepare(images, mean):
    ones = torch.ones(len(images), 1, device="cuda")
    centred = images - mean.cuda()
    return torch.cat([centred, ones], dim=1)
