import random

import numpy
import torch


def set_up(seed, samples):
    random.seed(seed)
    numpy.random.seed(seed)
    torch.manual_seed(seed)
    torch.cuda.manual_seed_all(seed)
    gpu = torch.accelerator.current_accelerator(check_available=True)
    if gpu is None:
        return (torch.device("cpu"),)
    parts = torch.chunk(torch.arange(samples), torch.accelerator.device_count())
    return tuple(torch.device(gpu.type, i) for i, _ in enumerate(parts))
