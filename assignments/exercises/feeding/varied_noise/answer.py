import torch
from torch.utils.data import Dataset


class Noisy(Dataset):
    """Values with noise."""

    def __init__(self, values):
        ### BEGIN SOLUTION
        # A generator that is made here would be copied into every worker, in one and the same
        # state. So none is kept.
        self.values = values
        ### END SOLUTION

    def __len__(self):
        ### BEGIN SOLUTION
        return len(self.values)
        ### END SOLUTION

    def __getitem__(self, index):
        ### BEGIN SOLUTION
        # Torch's own random numbers are seeded in each worker, from torch.manual_seed in the main
        # process, and with 0 workers they are those of the main process itself.
        return self.values[index] + torch.randn(())
        ### END SOLUTION


def varied_noise(values):
    """Return the dataset of `values` with noise."""
    return Noisy(values)


# %% try
# Try it out here: remove the # signs and run.
# dataset = varied_noise(torch.zeros(4))
# for epoch in range(2):
#     print([item.item() for item in DataLoader(dataset, num_workers=2)])
