# %% seed_from_torch
import numpy as np
import torch
from torch.utils.data import Dataset, get_worker_info


class Noisy(Dataset):
    def __init__(self, values):
        self.values = values

    def __len__(self):
        return len(self.values)

    def __getitem__(self, number):
        seed = torch.randint(2**31, ()).item()
        return self.values[number] + np.random.default_rng(seed).normal()


def varied_noise(values):
    return Noisy(values)

# %% torch_normal
import torch
from torch.utils.data import Dataset, get_worker_info


class Noisy(Dataset):
    def __init__(self, values):
        self.values = values

    def __len__(self):
        return len(self.values)

    def __getitem__(self, number):
        return torch.normal(self.values[number], torch.ones(()))


def varied_noise(values):
    return Noisy(values)
