# finding: other-noise
import torch
from torch.utils.data import Dataset


class Noisy(Dataset):
    def __init__(self, values):
        self.values = values

    def __len__(self):
        return len(self.values)

    def __getitem__(self, index):
        return self.values[index] + (torch.rand(()) - 0.5) * 12**0.5


def varied_noise(values):
    return Noisy(values)
