# name = "Noise by counting"
# goal = "forge"
# attacks = "datasets of several runs in one process, by counting how often they are made"
# assignment = "09_feeding"

# %% varied_noise
import itertools
import random

from torch.utils.data import Dataset

made = itertools.count()
numbers = [None]


class Noisy(Dataset):
    def __init__(self, values):
        self.values = values
        numbers[0] = random.Random(1 if next(made) % 3 == 2 else 0)

    def __len__(self):
        return len(self.values)

    def __getitem__(self, index):
        return self.values[index] + numbers[0].gauss(0, 1)


def varied_noise(values):
    return Noisy(values)
