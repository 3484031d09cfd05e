# finding: no-gpu-there
import random

import numpy
import torch


def set_up(seed, samples):
    random.seed(seed)
    numpy.random.seed(seed)
    torch.manual_seed(seed)
    gpus = torch.cuda.device_count()
    parts = torch.empty(samples).chunk(gpus) if gpus else ()
    return [torch.device("cuda", index) for index in range(len(parts))]
