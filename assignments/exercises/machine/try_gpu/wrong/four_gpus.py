# finding: missing-gpu
import torch


def try_gpu(i=0):
    if i < 4:
        return torch.device("cuda", i)
    return torch.device("cpu")
