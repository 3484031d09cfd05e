import torch


def try_gpu(i=0):
    if i in range(torch.cuda.device_count()):
        return torch.device(i)
    return torch.device("cpu")
