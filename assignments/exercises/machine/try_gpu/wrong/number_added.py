# finding: number-and-text
import torch


def try_gpu(i=0):
    if torch.cuda.device_count() > i:
        return torch.device("cuda:" + i)
    return torch.device("cpu")
