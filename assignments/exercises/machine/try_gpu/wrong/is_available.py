# finding: missing-gpu
import torch


def try_gpu(i=0):
    if torch.cuda.is_available():
        return torch.device("cuda", i)
    return torch.device("cpu")
