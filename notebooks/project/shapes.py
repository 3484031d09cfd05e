"""The images of shapes, and the network that tells them apart."""

import signal

import numpy as np
import torch
from PIL import Image
from torch import nn
from torch.utils.data import DataLoader, Dataset

MEAN = (0.43, 0.36, 0.47)
STD = (0.28, 0.27, 0.28)


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


def load(data, batches, device, workers):
    """A DataLoader of `data`, whose `batches` are lists of indices; pinned for a GPU."""
    feeding = {"num_workers": workers, "pin_memory": device.type == "cuda"}
    return DataLoader(data, batch_sampler=batches, worker_init_fn=ignore_sigterm, **feeding)


def ignore_sigterm(_worker):
    """torchrun and schedulers send it to every process; the epoch is to end before these do."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)


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
        self.blocks = nn.ModuleList(map(conv_block, (3, *widths), widths))
        self.head = nn.Linear(widths[-1], classes)

    def forward(self, images):
        features = (images / 255 - self.mean) / self.std
        for block in self.blocks:
            features = block(features)
        return self.head(features.amax(dim=(2, 3)))
