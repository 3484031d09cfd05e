# finding: wrapper-used
from torch import nn


def parallel_forward(module, x, devices):
    return nn.DataParallel(module, devices)(x)
