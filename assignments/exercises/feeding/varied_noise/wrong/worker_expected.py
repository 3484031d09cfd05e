# finding: no-worker-in-the-main-process
import torch
from torch.utils.data import Dataset, get_worker_info


class Noisy(Dataset):
    def __init__(self, values):
        self.values, self.generator = values, None

    def __len__(self):
        return len(self.values)

    def __getitem__(self, number):
        if self.generator is None:
            self.generator = torch.Generator().manual_seed(get_worker_info().seed)
        return self.values[number] + torch.randn((), generator=self.generator)


def varied_noise(values):
    return Noisy(values)
