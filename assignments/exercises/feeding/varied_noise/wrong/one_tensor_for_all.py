# finding: same-in-every-epoch
import torch


def varied_noise(values):
    return values + torch.randn(len(values))
