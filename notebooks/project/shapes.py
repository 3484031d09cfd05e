"""The images of shapes, and the network that tells them apart."""

import numpy as np
import torch
from PIL import Image
from torch import nn
from torch.utils.data import Dataset

MEAN = (0.43, 0.36, 0.47)
STD = (0.28, 0.27, 0.28)


class Shapes(Dataset):
    """The images folder/CLASS/*.jpg, each decoded when it is asked for."""

    def __init__(self, folder):
        self.files = sorted(folder.glob("*/*.jpg"))
        if not self.files:
            raise FileNotFoundError(f"no images in {folder}: `course shapes {folder.parent}`")
        self.classes = sorted({file.parent.name for file in self.files})
        self.targets = [self.classes.index(file.parent.name) for file in self.files]

    def __len__(self):
        return len(self.files)

    def __getitem__(self, index):
        pixels = np.array(Image.open(self.files[index]).convert("RGB"))
        return torch.from_numpy(pixels).permute(2, 0, 1), self.targets[index]


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
