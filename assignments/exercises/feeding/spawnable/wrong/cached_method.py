# finding: records-kept
from functools import cache

import os

import torch
from torch.utils.data import Dataset


class Records(Dataset):
    def __init__(self, path, width, scale):
        self.path, self.width, self.scale = path, width, scale

    def __len__(self):
        return os.path.getsize(self.path) // self.width

    def read(self, index):
        with open(self.path, "rb") as file:
            file.seek(index * self.width)
            return torch.tensor(list(file.read(self.width)), dtype=torch.float32) * self.scale

    @cache
    def __getitem__(self, index):
        return self.read(index)


def spawnable(path, width, scale):
    return Records(path, width, scale)
