import os

import torch
from torch.utils.data import Dataset


class Records(Dataset):
    """Records of `width` bytes from a file, as float32 tensors, multiplied by `scale`."""

    def __init__(self, path, width, scale):
        ### BEGIN SOLUTION
        # Only what travels: plain values. The work of the lambda is done in __getitem__.
        self.path, self.width, self.scale = path, width, scale
        ### END SOLUTION

    def __len__(self):
        ### BEGIN SOLUTION
        return os.path.getsize(self.path) // self.width
        ### END SOLUTION

    def __getitem__(self, index):
        ### BEGIN SOLUTION
        # Opened here, the file belongs to the process that reads, and nothing stays open. Moving
        # to a GPU is left to the training.
        with open(self.path, "rb") as file:
            file.seek(index * self.width)
            return torch.tensor(list(file.read(self.width)), dtype=torch.float32) * self.scale
        ### END SOLUTION


def spawnable(path, width, scale):
    """Return the dataset of the records in the file at `path`."""
    return Records(path, width, scale)


# %% try
# Try it out here: remove the # signs and run.
# import pickle
# with open("records.bin", "wb") as file:
#     file.write(bytes([1, 2, 3, 4, 5, 6]))
# dataset = spawnable("records.bin", 3, 0.5)
# print(pickle.loads(pickle.dumps(dataset))[1])
# os.remove("records.bin")
