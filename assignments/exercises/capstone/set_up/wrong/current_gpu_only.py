# finding: gpus-unseeded
import random

import numpy
import torch


def set_up(seed, samples):
    random.seed(seed)
    numpy.random.seed(seed)
    torch.default_generator.manual_seed(seed)
    torch.cuda.manual_seed(seed)
    gpus = torch.cuda.device_count()
    if not gpus:
        return [torch.device("cpu")]
    parts = torch.empty(samples).chunk(gpus)
    return [torch.device("cuda", index) for index in range(len(parts))]
