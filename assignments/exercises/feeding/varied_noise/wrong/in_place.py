# finding: input-changed
import torch
from torch.utils.data import Dataset, get_worker_info


class Noisy(Dataset):
    def __init__(self, values):
        self.values = values

    def __len__(self):
        return len(self.values)

    def __getitem__(self, number):
        self.values[number] += torch.randn(())
        return self.values[number].clone()


def varied_noise(values):
    return Noisy(values)
