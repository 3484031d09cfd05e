# finding: same-in-every-worker
import torch
from torch.utils.data import Dataset, get_worker_info


class Noisy(Dataset):
    def __init__(self, values):
        self.values = values
        self.generator = torch.Generator().manual_seed(torch.initial_seed())

    def __len__(self):
        return len(self.values)

    def __getitem__(self, number):
        return self.values[number] + torch.randn((), generator=self.generator)


def varied_noise(values):
    return Noisy(values)
