# finding: missing-gpu
import torch


def try_gpu(i=0):
    try:
        torch.device("cuda", i)
    except RuntimeError:
        return torch.device("cpu")
    return torch.device("cuda", i)
