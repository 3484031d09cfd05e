# finding: seed-not-used
import random

import numpy
import torch


def set_up(seed, samples):
    random.seed(0)
    numpy.random.seed(0)
    torch.manual_seed(0)
    gpus = torch.cuda.device_count()
    if not gpus:
        return [torch.device("cpu")]
    parts = torch.empty(samples).chunk(gpus)
    return [torch.device("cuda", index) for index in range(len(parts))]
