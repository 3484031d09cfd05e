# finding: gpu-in-the-dataset
import os

import torch
from torch.utils.data import Dataset


class Records(Dataset):

    def __init__(self, path, width, scale):
        self.path, self.width, self.scale = path, width, scale

    def __len__(self):
        return os.path.getsize(self.path) // self.width

    def __getitem__(self, number):
        with open(self.path, "rb") as file:
            file.seek(number * self.width)
            return torch.tensor(list(file.read(self.width)), dtype=torch.float32).cuda() * self.scale


def spawnable(path, width, scale):
    return Records(path, width, scale)
