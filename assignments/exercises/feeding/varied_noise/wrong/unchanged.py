# finding: same-in-every-worker
import numpy as np
import torch
from torch.utils.data import Dataset, get_worker_info


class Noisy(Dataset):
    def __init__(self, values):
        self.values = values
        self.generator = np.random.default_rng(0)

    def __len__(self):
        return len(self.values)

    def __getitem__(self, number):
        return self.values[number] + self.generator.normal()


def varied_noise(values):
    return Noisy(values)
