# finding: same-for-every-item
import torch
from torch.utils.data import Dataset


class Noisy(Dataset):
    def __init__(self, values):
        self.values, self.noise = values, None

    def __len__(self):
        return len(self.values)

    def __getitem__(self, index):
        if self.noise is None:
            self.noise = torch.randn(())
        return self.values[index] + self.noise


def varied_noise(values):
    return Noisy(values)
