# %% a_generator
# finding: other-form
import torch


def varied_noise(values):
    return (value + torch.randn(()) for value in values)

# %% a_vector
# finding: not-a-number
import torch
from torch.utils.data import Dataset, get_worker_info


class Noisy(Dataset):
    def __init__(self, values):
        self.values = values

    def __len__(self):
        return len(self.values)

    def __getitem__(self, number):
        return self.values[number] + torch.randn(1)


def varied_noise(values):
    return Noisy(values)

# %% forgot_self
# finding: dataset-does-not-work
import torch
from torch.utils.data import Dataset, get_worker_info


class Noisy(Dataset):
    def __init__(self, values):
        self.values = values

    def __len__(self):
        return len(self.values)

    def __getitem__(self, number):
        return values[number] + torch.randn(())


def varied_noise(values):
    return Noisy(values)

# %% in_place
# finding: input-changed
import torch
from torch.utils.data import Dataset, get_worker_info


class Noisy(Dataset):
    def __init__(self, values):
        self.values = values

    def __len__(self):
        return len(self.values)

    def __getitem__(self, number):
        self.values[number] += torch.randn(())
        return self.values[number].clone()


def varied_noise(values):
    return Noisy(values)

# %% item_and_noise
# finding: not-a-number
import torch
from torch.utils.data import Dataset, get_worker_info


class Noisy(Dataset):
    def __init__(self, values):
        self.values = values

    def __len__(self):
        return len(self.values)

    def __getitem__(self, number):
        return self.values[number], torch.randn(())


def varied_noise(values):
    return Noisy(values)

# %% item_as_seed
# finding: same-in-every-epoch
import torch
from torch.utils.data import Dataset, get_worker_info


class Noisy(Dataset):
    def __init__(self, values):
        self.values = values

    def __len__(self):
        return len(self.values)

    def __getitem__(self, number):
        generator = torch.Generator().manual_seed(number)
        return self.values[number] + torch.randn((), generator=generator)


def varied_noise(values):
    return Noisy(values)

# %% lazy_but_copied
# finding: same-in-every-worker
import numpy as np
import torch
from torch.utils.data import Dataset, get_worker_info


class Noisy(Dataset):
    def __init__(self, values):
        self.values, self.generator = values, None

    def __len__(self):
        return len(self.values)

    def __getitem__(self, number):
        if self.generator is None:
            self.generator = np.random.default_rng(torch.initial_seed() % 2**32)
        return self.values[number] + self.generator.normal()


def varied_noise(values):
    return Noisy(values)

# %% no_noise
# finding: no-noise
import torch
from torch.utils.data import Dataset, get_worker_info


class Noisy(Dataset):
    def __init__(self, values):
        self.values = values

    def __len__(self):
        return len(self.values)

    def __getitem__(self, number):
        return self.values[number] + 0


def varied_noise(values):
    return Noisy(values)

# %% no_seed_at_all
# finding: not-reproducible
import numpy as np
import torch
from torch.utils.data import Dataset, get_worker_info


class Noisy(Dataset):
    def __init__(self, values):
        self.values = values

    def __len__(self):
        return len(self.values)

    def __getitem__(self, number):
        return self.values[number] + np.random.default_rng().normal()


def varied_noise(values):
    return Noisy(values)

# %% noise_of_init
# finding: same-in-every-epoch
import torch
from torch.utils.data import Dataset, get_worker_info


class Noisy(Dataset):
    def __init__(self, values):
        self.values = values
        self.noise = torch.randn(values.shape)

    def __len__(self):
        return len(self.values)

    def __getitem__(self, number):
        return self.values[number] + self.noise[number]


def varied_noise(values):
    return Noisy(values)

# %% nothing_returned
# finding: nothing-returned
import torch
from torch.utils.data import Dataset


class Noisy(Dataset):

    def __init__(self, values):
        self.values = values

    def __len__(self):
        return len(self.values)

    def __getitem__(self, number):
        return self.values[number] + torch.randn(())


def varied_noise(values):
    Noisy(values)

# %% numpy_global
# finding: not-reproducible-without-workers
import numpy as np
import torch
from torch.utils.data import Dataset, get_worker_info


class Noisy(Dataset):
    def __init__(self, values):
        self.values = values

    def __len__(self):
        return len(self.values)

    def __getitem__(self, number):
        return self.values[number] + np.random.normal()


def varied_noise(values):
    return Noisy(values)

# %% one_number_kept
# finding: same-for-every-item
import torch
from torch.utils.data import Dataset


class Noisy(Dataset):
    def __init__(self, values):
        self.values, self.noise = values, None

    def __len__(self):
        return len(self.values)

    def __getitem__(self, index):
        if self.noise is None:
            self.noise = torch.randn(())
        return self.values[index] + self.noise


def varied_noise(values):
    return Noisy(values)

# %% one_tensor_for_all
# finding: same-in-every-epoch
import torch


def varied_noise(values):
    return values + torch.randn(len(values))

# %% one_too_few
# finding: wrong-length
import torch
from torch.utils.data import Dataset


class Noisy(Dataset):

    def __init__(self, values):
        self.values = values

    def __len__(self):
        return len(self.values) - 1

    def __getitem__(self, number):
        return self.values[number] + torch.randn(())


def varied_noise(values):
    return Noisy(values)

# %% python_random
# finding: not-reproducible-without-workers
import random

import torch
from torch.utils.data import Dataset, get_worker_info


class Noisy(Dataset):
    def __init__(self, values):
        self.values = values

    def __len__(self):
        return len(self.values)

    def __getitem__(self, number):
        return self.values[number] + random.gauss(0, 1)


def varied_noise(values):
    return Noisy(values)

# %% seeded_for_each_item
# finding: same-for-every-item
import torch
from torch.utils.data import Dataset, get_worker_info


class Noisy(Dataset):
    def __init__(self, values):
        self.values = values

    def __len__(self):
        return len(self.values)

    def __getitem__(self, number):
        info = get_worker_info()
        torch.manual_seed(info.seed if info else 0)
        return self.values[number] + torch.randn(())


def varied_noise(values):
    return Noisy(values)

# %% seeds_too_close
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

# %% too_quiet
# finding: other-noise
import torch
from torch.utils.data import Dataset, get_worker_info


class Noisy(Dataset):
    def __init__(self, values):
        self.values = values

    def __len__(self):
        return len(self.values)

    def __getitem__(self, number):
        return self.values[number] + 0.1 * torch.randn(())


def varied_noise(values):
    return Noisy(values)

# %% torch_generator_kept
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

# %% uniform
# finding: other-noise
import torch
from torch.utils.data import Dataset, get_worker_info


class Noisy(Dataset):
    def __init__(self, values):
        self.values = values

    def __len__(self):
        return len(self.values)

    def __getitem__(self, number):
        return self.values[number] + torch.rand(())


def varied_noise(values):
    return Noisy(values)

# %% uniform_with_the_same_spread
# finding: other-noise
import torch
from torch.utils.data import Dataset


class Noisy(Dataset):
    def __init__(self, values):
        self.values = values

    def __len__(self):
        return len(self.values)

    def __getitem__(self, index):
        return self.values[index] + (torch.rand(()) - 0.5) * 12**0.5


def varied_noise(values):
    return Noisy(values)

# %% zero_in_the_main_process
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

# %% clock
# finding: not-reproducible
import time

import numpy as np
import torch
from torch.utils.data import Dataset, get_worker_info


class Noisy(Dataset):
    def __init__(self, values):
        self.values = values

    def __len__(self):
        return len(self.values)

    def __getitem__(self, number):
        generator = np.random.default_rng(time.perf_counter_ns() + number)
        return self.values[number] + generator.normal()


def varied_noise(values):
    return Noisy(values)
