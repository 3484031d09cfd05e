# finding: gpus-unseeded
import random

import numpy
import torch


def set_up(seed, samples):
    """Seed all random generators, and return the devices that get a part of a batch."""
    random.seed(seed)
    numpy.random.seed(seed)
    torch.manual_seed(seed)
    torch.cuda.seed_all()
    gpus = torch.cuda.device_count()
    if not gpus:
        return [torch.device("cpu")]
    parts = torch.empty(samples).chunk(gpus)
    return [torch.device("cuda", index) for index in range(len(parts))]
