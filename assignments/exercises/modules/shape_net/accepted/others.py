# %% buffer_class
import torch
from torch import nn

MEAN = (0.43, 0.36, 0.47)
STD = (0.28, 0.27, 0.28)


def conv_block(inputs, outputs):
    convolution = nn.Conv2d(inputs, outputs, kernel_size=3, stride=2, padding=1)
    # BatchNorm would see less of a batch, the more GPUs share it; GroupNorm looks at one image.
    return nn.Sequential(convolution, nn.GroupNorm(4, outputs), nn.ReLU())


class ShapeNet(nn.Module):
    def __init__(self, classes, widths=(16, 32, 64)):
        super().__init__()
        self.mean = nn.Buffer(torch.tensor(MEAN).view(3, 1, 1))
        self.std = nn.Buffer(torch.tensor(STD).view(3, 1, 1))
        self.blocks = nn.ModuleList(map(conv_block, (3, *widths), widths))
        self.head = nn.Linear(widths[-1], classes)

    def forward(self, images):
        features = (images / 255 - self.mean) / self.std
        for block in self.blocks:
            features = block(features)
        return self.head(features.amax(dim=(2, 3)))

# %% layers_made_first
import torch
from torch import nn

MEAN = (0.43, 0.36, 0.47)
STD = (0.28, 0.27, 0.28)


def conv_block(inputs, outputs):
    convolution = nn.Conv2d(inputs, outputs, kernel_size=3, stride=2, padding=1)
    # BatchNorm would see less of a batch, the more GPUs share it; GroupNorm looks at one image.
    return nn.Sequential(convolution, nn.GroupNorm(4, outputs), nn.ReLU())


class ShapeNet(nn.Module):
    def __init__(self, classes, widths=(16, 32, 64)):
        super().__init__()
        blocks = [conv_block(a, b) for a, b in zip((3, *widths), widths)]
        head = nn.Linear(widths[-1], classes)
        self.head, self.blocks = head, nn.ModuleList(blocks)
        self.register_buffer("std", self.prepared(STD))
        self.register_buffer("mean", self.prepared(MEAN))

    def forward(self, images):
        features = images.to(self.mean.dtype).div(255).sub(self.mean).div(self.std)
        for block in self.blocks:
            features = block(features)
        return self.head(features.flatten(2).max(dim=2).values)

    @staticmethod
    def prepared(numbers):
        return torch.tensor(numbers).view(-1, 1, 1)

# %% numbers_in_a_row
import torch
from torch import nn

MEAN = (0.43, 0.36, 0.47)
STD = (0.28, 0.27, 0.28)


def conv_block(inputs, outputs):
    convolution = nn.Conv2d(inputs, outputs, kernel_size=3, stride=2, padding=1)
    # BatchNorm would see less of a batch, the more GPUs share it; GroupNorm looks at one image.
    return nn.Sequential(convolution, nn.GroupNorm(4, outputs), nn.ReLU())


class ShapeNet(nn.Module):
    def __init__(self, classes, widths=(16, 32, 64)):
        super().__init__()
        self.blocks = nn.ModuleList(map(conv_block, (3, *widths), widths))
        self.head = nn.Linear(widths[-1], classes)
        self.register_buffer("mean", torch.tensor(MEAN))
        self.register_buffer("std", torch.tensor(STD))

    def forward(self, images):
        features = (images.float() / 255 - self.mean[:, None, None]) / self.std[:, None, None]
        for block in self.blocks:
            features = block(features)
        return self.head(features.amax(dim=(2, 3)))
