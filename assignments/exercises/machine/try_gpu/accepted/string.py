import torch


def try_gpu(i=0):
    return torch.device(f"cuda:{i}" if i < torch.cuda.device_count() else "cpu")
