# finding: cpu-instead
import torch


def try_gpu(i=0):
    if torch.cuda.device_count() > i + 1:
        return torch.device("cuda", i)
    return torch.device("cpu")
