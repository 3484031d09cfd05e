import numpy as np
import torch
from torch.utils.data import Dataset


class Noisy(Dataset):
    """Each item has a generator of its own, from the current seed, the index and a counter."""

    def __init__(self, values):
        self.values = values

    def __len__(self):
        return len(self.values)

    def __getitem__(self, index):
        draw = torch.randint(2**62, (), dtype=torch.int64).item()
        noise = np.random.default_rng([draw, index]).standard_normal()
        return float(self.values[index]) + noise


def varied_noise(values):
    return Noisy(values)
