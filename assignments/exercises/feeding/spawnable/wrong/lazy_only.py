# finding: stuck-after-first-use
import os

import torch
from torch.utils.data import Dataset


class Records(Dataset):
    def __init__(self, path, width, scale):
        self.path, self.width, self.scale, self.file = path, width, scale, None
        self.length = os.path.getsize(path) // width

    def __len__(self):
        return self.length

    def __getitem__(self, number):
        if self.file is None:
            self.file = open(self.path, "rb")
        self.file.seek(number * self.width)
        return torch.tensor(list(self.file.read(self.width)), dtype=torch.float32) * self.scale


def spawnable(path, width, scale):
    return Records(path, width, scale)
