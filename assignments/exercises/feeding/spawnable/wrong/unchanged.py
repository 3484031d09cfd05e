# finding: lambda-kept
import os

import torch
from torch.utils.data import Dataset


class Records(Dataset):
    def __init__(self, path, width, scale):
        self.length = os.path.getsize(path) // width
        self.width = width
        self.scaled = lambda numbers: torch.tensor(numbers, dtype=torch.float32).cuda() * scale
        self.file = open(path, "rb")

    def __len__(self):
        return self.length

    def __getitem__(self, number):
        self.file.seek(number * self.width)
        return self.scaled(list(self.file.read(self.width)))


def spawnable(path, width, scale):
    return Records(path, width, scale)
