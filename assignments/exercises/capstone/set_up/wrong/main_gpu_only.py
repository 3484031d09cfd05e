# finding: gpus-left-out
import random

import numpy
import torch


def set_up(seed, samples):
    random.seed(seed)
    numpy.random.seed(seed)
    torch.manual_seed(seed)
    gpus = torch.cuda.device_count()
    if not gpus:
        return [torch.device("cpu")]
    return [torch.device("cuda:0")]
