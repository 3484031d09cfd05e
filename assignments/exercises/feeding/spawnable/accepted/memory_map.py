import numpy as np
import torch


class Records:
    def __init__(self, path, width, scale):
        self.path, self.width, self.scale = path, width, scale

    def records(self):
        return np.memmap(self.path, dtype=np.uint8, mode="r").reshape(-1, self.width)

    def __len__(self):
        return len(self.records())

    def __getitem__(self, number):
        return torch.from_numpy(self.records()[number].astype(np.float32)) * self.scale


def spawnable(path, width, scale):
    return Records(path, width, scale)
