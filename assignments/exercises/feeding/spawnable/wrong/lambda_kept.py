# finding: lambda-kept
import os

import torch
from torch.utils.data import Dataset


class Records(Dataset):

    def __init__(self, path, width, scale):
        self.path, self.width = path, width
        self.scaled = lambda numbers: torch.tensor(numbers, dtype=torch.float32) * scale

    def __len__(self):
        return os.path.getsize(self.path) // self.width

    def __getitem__(self, number):
        with open(self.path, "rb") as file:
            file.seek(number * self.width)
            return self.scaled(list(file.read(self.width)))


def spawnable(path, width, scale):
    return Records(path, width, scale)
