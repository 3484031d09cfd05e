# finding: no-device
import torch


def try_gpu(i=0):
    return f"cuda:{i}" if i < torch.cuda.device_count() else "cpu"
