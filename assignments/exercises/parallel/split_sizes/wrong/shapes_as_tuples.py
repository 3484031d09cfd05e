# finding: shapes-not-sizes
import torch


def split_sizes(shape, gpus, dim):
    return [tuple(part.shape) for part in torch.zeros(shape).chunk(gpus, dim)]
