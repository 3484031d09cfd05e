# finding: current-gpu
import torch


def try_gpu(i=0):
    if i >= torch.cuda.device_count():
        return torch.device("cpu")
    return torch.device(f"cuda:{i}" if i else "cuda")
