# finding: same-for-every-seed
import torch
from torch.utils.data import Dataset


class Noisy(Dataset):
    def __init__(self, values):
        self.values = values
        torch.manual_seed(0)

    def __len__(self):
        return len(self.values)

    def __getitem__(self, index):
        return self.values[index] + torch.randn(())


def varied_noise(values):
    return Noisy(values)
