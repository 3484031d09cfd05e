# finding: current-gpu
import torch


def try_gpu(i=0):
    if torch.cuda.device_count() > i:
        return torch.device("cuda")
    return torch.device("cpu")
