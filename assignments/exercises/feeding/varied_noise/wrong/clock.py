# finding: not-reproducible
import time

import numpy as np
import torch
from torch.utils.data import Dataset, get_worker_info


class Noisy(Dataset):
    def __init__(self, values):
        self.values = values

    def __len__(self):
        return len(self.values)

    def __getitem__(self, number):
        generator = np.random.default_rng(time.perf_counter_ns() + number)
        return self.values[number] + generator.normal()


def varied_noise(values):
    return Noisy(values)
