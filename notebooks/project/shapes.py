"""The images of shapes, their batches, and the network that tells them apart."""

import os
import signal
import sys

import numpy as np
import torch
from PIL import Image
from torch import nn
from torch.utils.data import DataLoader, Dataset

MEAN = (0.43, 0.36, 0.47)
STD = (0.28, 0.27, 0.28)
RANK = int(os.environ.get("RANK", "0"))  # of how many processes torchrun has started
RANKS = int(os.environ.get("WORLD_SIZE", "1"))


class Shapes(Dataset):
    """The images folder/CLASS/*.jpg, each decoded when it is asked for.

    classes: the names of all, in the order of their numbers; those in the folder, if not given.
    """

    def __init__(self, folder, classes=None):
        self.files = sorted(folder.glob("*/*.jpg"))
        if not self.files:
            raise FileNotFoundError(f"no images in {folder}: `course shapes {folder.parent}`")
        self.classes = classes or sorted({file.parent.name for file in self.files})
        self.targets = [self.classes.index(file.parent.name) for file in self.files]

    def __len__(self):
        return len(self.files)

    def __getitem__(self, index):
        pixels = np.array(Image.open(self.files[index]).convert("RGB"))
        return torch.from_numpy(pixels).permute(2, 0, 1), self.targets[index]


def batches_of(count, size):
    """An epoch's batches of `size` images each, less the rest of `count`; this rank's part."""
    if not RANKS <= size <= count:
        sys.exit(f"--batch {size}: choose from {RANKS}, an image for each process, to {count}")
    order = torch.randperm(count)  # drawn on the CPU, where all ranks draw alike
    return [batch[RANK::RANKS].tolist() for batch in order[: count // size * size].split(size)]


def load(data, batches, device, workers):
    """Have `workers` read the `batches`, lists of indices; gives them in turn, pinned for a GPU."""
    feeding = {"num_workers": workers, "pin_memory": device.type == "cuda"}
    # Workers inherit this: torchrun and schedulers send SIGTERM to every process, and the epoch is
    # to end before these do.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
    loader = iter(DataLoader(data, batch_sampler=batches, **feeding))
    signal.pthread_sigmask(signal.SIG_SETMASK, before)
    return loader


def conv_block(inputs, outputs):
    convolution = nn.Conv2d(inputs, outputs, kernel_size=3, stride=2, padding=1)
    # BatchNorm would see less of a batch, the more GPUs share it; GroupNorm looks at one image.
    return nn.Sequential(convolution, nn.GroupNorm(4, outputs), nn.ReLU())


class ShapeNet(nn.Module):
    """From images of bytes, (N, 3, height, width), to scores of their classes, (N, classes)."""

    def __init__(self, classes, widths=(16, 32, 64)):
        super().__init__()
        self.register_buffer("mean", torch.tensor(MEAN).view(3, 1, 1))
        self.register_buffer("std", torch.tensor(STD).view(3, 1, 1))
        self.blocks = nn.ModuleList(conv_block(a, b) for a, b in zip((3, *widths), widths))
        self.head = nn.Linear(widths[-1], classes)

    def forward(self, images):
        features = (images / 255 - self.mean) / self.std
        for block in self.blocks:
            features = block(features)
        return self.head(features.amax(dim=(2, 3)))
