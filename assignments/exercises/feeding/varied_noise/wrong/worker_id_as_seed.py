# finding: same-in-every-epoch
import numpy as np
import torch
from torch.utils.data import Dataset, get_worker_info


class Noisy(Dataset):
    def __init__(self, values):
        self.values, self.generator = values, None

    def __len__(self):
        return len(self.values)

    def __getitem__(self, number):
        if self.generator is None:
            info = get_worker_info()
            self.generator = np.random.default_rng(info.id if info else 99)
        return self.values[number] + self.generator.normal()


def varied_noise(values):
    return Noisy(values)
