# finding: other-form
import torch


def varied_noise(values):
    return (value + torch.randn(()) for value in values)
