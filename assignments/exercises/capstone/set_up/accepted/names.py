import math
import random

import numpy as np
import torch


def set_up(seed, samples):
    for seeding in (random.seed, np.random.seed, torch.manual_seed):
        seeding(seed)
    if not torch.cuda.is_available():
        return ["cpu"]
    each = math.ceil(samples / torch.cuda.device_count())
    return [f"cuda:{i}" for i in range(math.ceil(samples / each))]
