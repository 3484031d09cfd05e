# finding: same-for-every-seed
import torch
from torch.utils.data import Dataset, get_worker_info


class Noisy(Dataset):
    def __init__(self, values):
        self.values, self.seed = values, None

    def __len__(self):
        return len(self.values)

    def __getitem__(self, index):
        info = get_worker_info()
        seed = info.seed if info else 0
        if self.seed != seed:
            self.seed = seed
            self.generator = torch.Generator().manual_seed(seed)
        return self.values[index] + torch.randn((), generator=self.generator)


def varied_noise(values):
    return Noisy(values)
