# finding: other-items
import os

import torch
from torch.utils.data import Dataset


class Records(Dataset):
    def __init__(self, path, width, scale):
        # In a new process, the class would have no file; here, it has that of the latest dataset.
        Records.file = open(path, "rb")
        self.length, self.width, self.scale = os.path.getsize(path) // width, width, scale

    def __len__(self):
        return self.length

    def __getitem__(self, index):
        Records.file.seek(index * self.width)
        return torch.tensor(list(Records.file.read(self.width)), dtype=torch.float32) * self.scale


def spawnable(path, width, scale):
    return Records(path, width, scale)
