# finding: same-in-every-worker
import torch
from torch.utils.data import Dataset, get_worker_info


class Noisy(Dataset):
    def __init__(self, values):
        self.values = values

    def __len__(self):
        return len(self.values)

    def __getitem__(self, number):
        info = get_worker_info()
        seed = info.id + number if info else number
        generator = torch.Generator().manual_seed(1000 + seed)
        return self.values[number] + torch.randn((), generator=generator)


def varied_noise(values):
    return Noisy(values)
