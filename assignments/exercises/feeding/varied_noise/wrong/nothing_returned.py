# finding: nothing-returned
import torch
from torch.utils.data import Dataset


class Noisy(Dataset):

    def __init__(self, values):
        self.values = values

    def __len__(self):
        return len(self.values)

    def __getitem__(self, number):
        return self.values[number] + torch.randn(())


def varied_noise(values):
    Noisy(values)
