# finding: whole-file-sent
import torch
from torch.utils.data import Dataset


class Records(Dataset):
    def __init__(self, path, width, scale):
        with open(path, "rb") as file:
            self.content = file.read()
        self.width, self.scale = width, scale

    def __len__(self):
        return len(self.content) // self.width

    def __getitem__(self, number):
        record = self.content[number * self.width:(number + 1) * self.width]
        return torch.tensor(list(record), dtype=torch.float32) * self.scale


def spawnable(path, width, scale):
    return Records(path, width, scale)
