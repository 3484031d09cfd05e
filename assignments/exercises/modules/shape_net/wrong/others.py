# %% an_axis_kept
# finding: raised-in-the-program
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
        self.register_buffer("mean", torch.tensor(MEAN).view(3, 1, 1))
        self.register_buffer("std", torch.tensor(STD).view(3, 1, 1))
        self.blocks = nn.ModuleList(map(conv_block, (3, *widths), widths))
        self.head = nn.Linear(widths[-1], classes)

    def forward(self, images):
        features = (images / 255 - self.mean) / self.std
        for block in self.blocks:
            features = block(features)
        return self.head(features.amax(dim=2))

# %% autocast
# finding: computes-otherwise
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
        self.register_buffer("mean", torch.tensor(MEAN).view(3, 1, 1))
        self.register_buffer("std", torch.tensor(STD).view(3, 1, 1))
        self.blocks = nn.ModuleList(map(conv_block, (3, *widths), widths))
        self.head = nn.Linear(widths[-1], classes)

    def forward(self, images):
        with torch.autocast("cuda", torch.bfloat16):
            return self.scores(images)

    def scores(self, images):
        features = (images / 255 - self.mean) / self.std
        for block in self.blocks:
            features = block(features)
        return self.head(features.amax(dim=(2, 3)))

# %% blocks_in_a_dict
# finding: layer-unknown
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
        self.register_buffer("mean", torch.tensor(MEAN).view(3, 1, 1))
        self.register_buffer("std", torch.tensor(STD).view(3, 1, 1))
        self.blocks = dict(enumerate(map(conv_block, (3, *widths), widths)))
        self.head = nn.Linear(widths[-1], classes)

    def forward(self, images):
        features = (images / 255 - self.mean) / self.std
        for block in self.blocks.values():
            features = block(features)
        return self.head(features.amax(dim=(2, 3)))

# %% blocks_moved_in_forward
# finding: layer-unknown
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
        self.register_buffer("mean", torch.tensor(MEAN).view(3, 1, 1))
        self.register_buffer("std", torch.tensor(STD).view(3, 1, 1))
        self.blocks = [conv_block(a, b) for a, b in zip((3, *widths), widths)]
        self.head = nn.Linear(widths[-1], classes)

    def forward(self, images):
        features = (images / 255 - self.mean) / self.std
        for block in self.blocks:
            features = block.to(images.device)(features)
        return self.head(features.amax(dim=(2, 3)))

# %% by_way_of_the_cpu
# finding: copied-in-forward
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
        self.register_buffer("mean", torch.tensor(MEAN).view(3, 1, 1))
        self.register_buffer("std", torch.tensor(STD).view(3, 1, 1))
        self.blocks = nn.ModuleList(map(conv_block, (3, *widths), widths))
        self.head = nn.Linear(widths[-1], classes)

    def forward(self, images):
        mean, std = self.mean.cpu(), self.std.cpu()
        features = (images / 255 - mean.to(images.device)) / std.to(images.device)
        for block in self.blocks:
            features = block(features)
        return self.head(features.amax(dim=(2, 3)))

# %% bytes_asked_for
# finding: waits-in-forward
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
        self.register_buffer("mean", torch.tensor(MEAN).view(3, 1, 1))
        self.register_buffer("std", torch.tensor(STD).view(3, 1, 1))
        self.blocks = nn.ModuleList(map(conv_block, (3, *widths), widths))
        self.head = nn.Linear(widths[-1], classes)

    def forward(self, images):
        if images.max() > 1:
            images = images / 255
        features = (images - self.mean) / self.std
        for block in self.blocks:
            features = block(features)
        return self.head(features.amax(dim=(2, 3)))

# %% constants_in_a_dict
# finding: not-saved
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
        self.constants = {"mean": torch.tensor(MEAN).view(3, 1, 1)}
        self.constants["std"] = torch.tensor(STD).view(3, 1, 1)
        self.blocks = nn.ModuleList(map(conv_block, (3, *widths), widths))
        self.head = nn.Linear(widths[-1], classes)

    def forward(self, images):
        mean, std = (self.constants[name].to(images.device) for name in ("mean", "std"))
        features = (images / 255 - mean) / std
        for block in self.blocks:
            features = block(features)
        return self.head(features.amax(dim=(2, 3)))

# %% counts_its_calls
# finding: other-keys
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
        self.register_buffer("mean", torch.tensor(MEAN).view(3, 1, 1))
        self.register_buffer("std", torch.tensor(STD).view(3, 1, 1))
        self.blocks = nn.ModuleList(map(conv_block, (3, *widths), widths))
        self.head = nn.Linear(widths[-1], classes)
        self.register_buffer("calls", torch.zeros(()))

    def forward(self, images):
        self.calls += 1
        features = (images / 255 - self.mean) / self.std
        for block in self.blocks:
            features = block(features)
        return self.head(features.amax(dim=(2, 3)))

# %% current_gpu
# finding: device-fixed
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
        self.register_buffer("mean", torch.tensor(MEAN).view(3, 1, 1))
        self.register_buffer("std", torch.tensor(STD).view(3, 1, 1))
        self.blocks = nn.ModuleList(map(conv_block, (3, *widths), widths))
        self.head = nn.Linear(widths[-1], classes)

    def forward(self, images):
        if images.is_cuda:
            images = images.to("cuda")
        features = (images / 255 - self.mean) / self.std
        for block in self.blocks:
            features = block(features)
        return self.head(features.amax(dim=(2, 3)))

# %% detached
# finding: computes-otherwise
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
        self.register_buffer("mean", torch.tensor(MEAN).view(3, 1, 1))
        self.register_buffer("std", torch.tensor(STD).view(3, 1, 1))
        self.blocks = nn.ModuleList(map(conv_block, (3, *widths), widths))
        self.head = nn.Linear(widths[-1], classes)

    def forward(self, images):
        features = (images / 255 - self.mean) / self.std
        for block in self.blocks:
            features = block(features)
        return self.head(features.detach().amax(dim=(2, 3)))

# %% device_kept
# finding: left-behind
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
        self.register_buffer("mean", torch.tensor(MEAN).view(3, 1, 1))
        self.register_buffer("std", torch.tensor(STD).view(3, 1, 1))
        self.blocks = nn.ModuleList(map(conv_block, (3, *widths), widths))
        self.head = nn.Linear(widths[-1], classes)
        self.device = self.head.weight.device

    def forward(self, images):
        images = images.to(self.device)
        features = (images / 255 - self.mean) / self.std
        for block in self.blocks:
            features = block(features)
        return self.head(features.amax(dim=(2, 3)))

# %% frozen_parameters
# finding: constant-trained
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
        self.mean = nn.Parameter(torch.tensor(MEAN).view(3, 1, 1), requires_grad=False)
        self.std = nn.Parameter(torch.tensor(STD).view(3, 1, 1), requires_grad=False)
        self.blocks = nn.ModuleList(map(conv_block, (3, *widths), widths))
        self.head = nn.Linear(widths[-1], classes)

    def forward(self, images):
        features = (images / 255 - self.mean) / self.std
        for block in self.blocks:
            features = block(features)
        return self.head(features.amax(dim=(2, 3)))

# %% head_first
# finding: begins-otherwise
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
        self.head = nn.Linear(widths[-1], classes)
        self.register_buffer("mean", torch.tensor(MEAN).view(3, 1, 1))
        self.register_buffer("std", torch.tensor(STD).view(3, 1, 1))
        self.blocks = nn.ModuleList(map(conv_block, (3, *widths), widths))

    def forward(self, images):
        features = (images / 255 - self.mean) / self.std
        for block in self.blocks:
            features = block(features)
        return self.head(features.amax(dim=(2, 3)))

# %% head_of_64
# finding: widths-fixed
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
        self.register_buffer("mean", torch.tensor(MEAN).view(3, 1, 1))
        self.register_buffer("std", torch.tensor(STD).view(3, 1, 1))
        self.blocks = nn.ModuleList(map(conv_block, (3, *widths), widths))
        self.head = nn.Linear(64, classes)

    def forward(self, images):
        features = (images / 255 - self.mean) / self.std
        for block in self.blocks:
            features = block(features)
        return self.head(features.amax(dim=(2, 3)))

# %% images_to_the_gpu
# finding: device-fixed
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
        self.register_buffer("mean", torch.tensor(MEAN).view(3, 1, 1))
        self.register_buffer("std", torch.tensor(STD).view(3, 1, 1))
        self.blocks = nn.ModuleList(map(conv_block, (3, *widths), widths))
        self.head = nn.Linear(widths[-1], classes)

    def forward(self, images):
        if torch.cuda.is_available():
            images = images.cuda()
        features = (images / 255 - self.mean) / self.std
        for block in self.blocks:
            features = block(features)
        return self.head(features.amax(dim=(2, 3)))

# %% in_bytes
# finding: other-constants
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
        self.register_buffer("mean", 255 * torch.tensor(MEAN).view(3, 1, 1))
        self.register_buffer("std", 255 * torch.tensor(STD).view(3, 1, 1))
        self.blocks = nn.ModuleList(map(conv_block, (3, *widths), widths))
        self.head = nn.Linear(widths[-1], classes)

    def forward(self, images):
        features = (images - self.mean) / self.std
        for block in self.blocks:
            features = block(features)
        return self.head(features.amax(dim=(2, 3)))

# %% in_float64
# finding: raised-in-the-program
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
        self.register_buffer("mean", torch.tensor(MEAN, dtype=torch.float64).view(3, 1, 1))
        self.register_buffer("std", torch.tensor(STD).view(3, 1, 1))
        self.blocks = nn.ModuleList(map(conv_block, (3, *widths), widths))
        self.head = nn.Linear(widths[-1], classes)

    def forward(self, images):
        features = (images / 255 - self.mean) / self.std
        for block in self.blocks:
            features = block(features)
        return self.head(features.amax(dim=(2, 3)))

# %% made_in_forward
# finding: left-behind
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
        self.register_buffer("mean", torch.tensor(MEAN).view(3, 1, 1))
        self.register_buffer("std", torch.tensor(STD).view(3, 1, 1))
        self.blocks = nn.ModuleList(map(conv_block, (3, *widths), widths))
        self.head = nn.Linear(widths[-1], classes)

    def forward(self, images):
        mean, std = torch.tensor(MEAN).view(3, 1, 1), torch.tensor(STD).view(3, 1, 1)
        features = (images / 255 - mean) / std
        for block in self.blocks:
            features = block(features)
        return self.head(features.amax(dim=(2, 3)))

# %% mean_forgotten
# finding: mean-forgotten
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
        self.register_buffer("mean", torch.tensor(MEAN).view(3, 1, 1))
        self.register_buffer("std", torch.tensor(STD).view(3, 1, 1))
        self.blocks = nn.ModuleList(map(conv_block, (3, *widths), widths))
        self.head = nn.Linear(widths[-1], classes)

    def forward(self, images):
        features = images / 255 / self.std
        for block in self.blocks:
            features = block(features)
        return self.head(features.amax(dim=(2, 3)))

# %% mean_of_the_image
# finding: other-scores
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
        self.register_buffer("mean", torch.tensor(MEAN).view(3, 1, 1))
        self.register_buffer("std", torch.tensor(STD).view(3, 1, 1))
        self.blocks = nn.ModuleList(map(conv_block, (3, *widths), widths))
        self.head = nn.Linear(widths[-1], classes)

    def forward(self, images):
        features = (images / 255 - self.mean) / self.std
        for block in self.blocks:
            features = block(features)
        return self.head(features.mean(dim=(2, 3)))

# %% mean_only
# finding: not-saved
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
        self.register_buffer("mean", torch.tensor(MEAN).view(3, 1, 1))
        self.std = torch.tensor(STD).view(3, 1, 1)
        self.blocks = nn.ModuleList(map(conv_block, (3, *widths), widths))
        self.head = nn.Linear(widths[-1], classes)

    def forward(self, images):
        features = (images / 255 - self.mean) / self.std.to(images.device)
        for block in self.blocks:
            features = block(features)
        return self.head(features.amax(dim=(2, 3)))

# %% moved_at_first_use
# finding: not-saved
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
        self.mean = torch.tensor(MEAN).view(3, 1, 1)
        self.std = torch.tensor(STD).view(3, 1, 1)
        self.blocks = nn.ModuleList(map(conv_block, (3, *widths), widths))
        self.head = nn.Linear(widths[-1], classes)

    def forward(self, images):
        if self.mean.device != images.device:
            self.mean, self.std = self.mean.to(images.device), self.std.to(images.device)
        features = (images / 255 - self.mean) / self.std
        for block in self.blocks:
            features = block(features)
        return self.head(features.amax(dim=(2, 3)))

# %% moved_at_the_end
# finding: device-fixed
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
        self.register_buffer("mean", torch.tensor(MEAN).view(3, 1, 1))
        self.register_buffer("std", torch.tensor(STD).view(3, 1, 1))
        self.blocks = nn.ModuleList(map(conv_block, (3, *widths), widths))
        self.head = nn.Linear(widths[-1], classes)
        if torch.cuda.is_available():
            self.cuda()

    def forward(self, images):
        features = (images / 255 - self.mean) / self.std
        for block in self.blocks:
            features = block(features)
        return self.head(features.amax(dim=(2, 3)))

# %% no_brackets
# finding: other-scores
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
        self.register_buffer("mean", torch.tensor(MEAN).view(3, 1, 1))
        self.register_buffer("std", torch.tensor(STD).view(3, 1, 1))
        self.blocks = nn.ModuleList(map(conv_block, (3, *widths), widths))
        self.head = nn.Linear(widths[-1], classes)

    def forward(self, images):
        features = images / 255 - self.mean / self.std
        for block in self.blocks:
            features = block(features)
        return self.head(features.amax(dim=(2, 3)))

# %% no_grad_in_the_blocks
# finding: computes-otherwise
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
        self.register_buffer("mean", torch.tensor(MEAN).view(3, 1, 1))
        self.register_buffer("std", torch.tensor(STD).view(3, 1, 1))
        self.blocks = nn.ModuleList(map(conv_block, (3, *widths), widths))
        self.head = nn.Linear(widths[-1], classes)

    def forward(self, images):
        features = (images / 255 - self.mean) / self.std
        with torch.no_grad():
            for block in self.blocks:
                features = block(features)
        return self.head(features.amax(dim=(2, 3)))

# %% no_return
# finding: none-used
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
        self.register_buffer("mean", torch.tensor(MEAN).view(3, 1, 1))
        self.register_buffer("std", torch.tensor(STD).view(3, 1, 1))
        self.blocks = nn.ModuleList(map(conv_block, (3, *widths), widths))
        self.head = nn.Linear(widths[-1], classes)

    def forward(self, images):
        features = (images / 255 - self.mean) / self.std
        for block in self.blocks:
            features = block(features)
        self.head(features.amax(dim=(2, 3)))

# %% no_widths
# finding: wrong-parameters
import torch
from torch import nn

MEAN = (0.43, 0.36, 0.47)
STD = (0.28, 0.27, 0.28)


def conv_block(inputs, outputs):
    convolution = nn.Conv2d(inputs, outputs, kernel_size=3, stride=2, padding=1)
    # BatchNorm would see less of a batch, the more GPUs share it; GroupNorm looks at one image.
    return nn.Sequential(convolution, nn.GroupNorm(4, outputs), nn.ReLU())


class ShapeNet(nn.Module):
    def __init__(self, classes):
        super().__init__()
        widths = (16, 32, 64)
        self.register_buffer("mean", torch.tensor(MEAN).view(3, 1, 1))
        self.register_buffer("std", torch.tensor(STD).view(3, 1, 1))
        self.blocks = nn.ModuleList(map(conv_block, (3, *widths), widths))
        self.head = nn.Linear(widths[-1], classes)

    def forward(self, images):
        features = (images / 255 - self.mean) / self.std
        for block in self.blocks:
            features = block(features)
        return self.head(features.amax(dim=(2, 3)))

# %% not_a_class
# finding: no-source
import torch
from torch import nn

MEAN = (0.43, 0.36, 0.47)
STD = (0.28, 0.27, 0.28)


def conv_block(inputs, outputs):
    convolution = nn.Conv2d(inputs, outputs, kernel_size=3, stride=2, padding=1)
    # BatchNorm would see less of a batch, the more GPUs share it; GroupNorm looks at one image.
    return nn.Sequential(convolution, nn.GroupNorm(4, outputs), nn.ReLU())


def shape_net(classes, widths=(16, 32, 64)):
    blocks = map(conv_block, (3, *widths), widths)
    return nn.Sequential(*blocks, nn.AdaptiveMaxPool2d(1), nn.Flatten(), nn.Linear(widths[-1], classes))


ShapeNet = shape_net

# %% not_divided
# finding: not-divided
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
        self.register_buffer("mean", torch.tensor(MEAN).view(3, 1, 1))
        self.register_buffer("std", torch.tensor(STD).view(3, 1, 1))
        self.blocks = nn.ModuleList(map(conv_block, (3, *widths), widths))
        self.head = nn.Linear(widths[-1], classes)

    def forward(self, images):
        features = (images - self.mean) / self.std
        for block in self.blocks:
            features = block(features)
        return self.head(features.amax(dim=(2, 3)))

# %% not_persistent
# finding: not-saved
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
        self.register_buffer("mean", torch.tensor(MEAN).view(3, 1, 1), persistent=False)
        self.register_buffer("std", torch.tensor(STD).view(3, 1, 1), persistent=False)
        self.blocks = nn.ModuleList(map(conv_block, (3, *widths), widths))
        self.head = nn.Linear(widths[-1], classes)

    def forward(self, images):
        features = (images / 255 - self.mean) / self.std
        for block in self.blocks:
            features = block(features)
        return self.head(features.amax(dim=(2, 3)))

# %% numbers_in_forward
# finding: copied-in-forward
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
        self.register_buffer("mean", torch.tensor(MEAN).view(3, 1, 1))
        self.register_buffer("std", torch.tensor(STD).view(3, 1, 1))
        self.blocks = nn.ModuleList(map(conv_block, (3, *widths), widths))
        self.head = nn.Linear(widths[-1], classes)

    def forward(self, images):
        mean = torch.tensor(MEAN, device=images.device).view(3, 1, 1)
        std = torch.tensor(STD, device=images.device).view(3, 1, 1)
        features = (images / 255 - mean) / std
        for block in self.blocks:
            features = block(features)
        return self.head(features.amax(dim=(2, 3)))

# %% one_block_less
# finding: block-missing
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
        self.register_buffer("mean", torch.tensor(MEAN).view(3, 1, 1))
        self.register_buffer("std", torch.tensor(STD).view(3, 1, 1))
        self.blocks = nn.ModuleList(map(conv_block, (3, *widths), widths[:-1]))
        self.head = nn.Linear(widths[-2], classes)

    def forward(self, images):
        features = (images / 255 - self.mean) / self.std
        for block in self.blocks:
            features = block(features)
        return self.head(features.amax(dim=(2, 3)))

# %% one_sequential
# finding: other-keys
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
        self.register_buffer("mean", torch.tensor(MEAN).view(3, 1, 1))
        self.register_buffer("std", torch.tensor(STD).view(3, 1, 1))
        blocks = map(conv_block, (3, *widths), widths)
        last = nn.Linear(widths[-1], classes)
        self.net = nn.Sequential(*blocks, nn.AdaptiveMaxPool2d(1), nn.Flatten(), last)

    def forward(self, images):
        features = (images / 255 - self.mean) / self.std
        return self.net(features)

# %% other_names
# finding: other-keys
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
        self.register_buffer("mean", torch.tensor(MEAN).view(3, 1, 1))
        self.register_buffer("std", torch.tensor(STD).view(3, 1, 1))
        self.layers = nn.ModuleList(map(conv_block, (3, *widths), widths))
        self.head = nn.Linear(widths[-1], classes)

    def forward(self, images):
        features = (images / 255 - self.mean) / self.std
        for block in self.layers:
            features = block(features)
        return self.head(features.amax(dim=(2, 3)))

# %% own_to
# finding: not-saved
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
        self.mean = torch.tensor(MEAN).view(3, 1, 1)
        self.std = torch.tensor(STD).view(3, 1, 1)
        self.blocks = nn.ModuleList(map(conv_block, (3, *widths), widths))
        self.head = nn.Linear(widths[-1], classes)

    def forward(self, images):
        features = (images / 255 - self.mean) / self.std
        for block in self.blocks:
            features = block(features)
        return self.head(features.amax(dim=(2, 3)))

    def to(self, *arguments, **options):
        self.mean = self.mean.to(*arguments, **options)
        self.std = self.std.to(*arguments, **options)
        return super().to(*arguments, **options)

# %% own_weights
# finding: begins-otherwise
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
        self.register_buffer("mean", torch.tensor(MEAN).view(3, 1, 1))
        self.register_buffer("std", torch.tensor(STD).view(3, 1, 1))
        self.blocks = nn.ModuleList(map(conv_block, (3, *widths), widths))
        self.head = nn.Linear(widths[-1], classes)
        nn.init.zeros_(self.head.bias)

    def forward(self, images):
        features = (images / 255 - self.mean) / self.std
        for block in self.blocks:
            features = block(features)
        return self.head(features.amax(dim=(2, 3)))

# %% scores_printed
# finding: waits-in-forward
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
        self.register_buffer("mean", torch.tensor(MEAN).view(3, 1, 1))
        self.register_buffer("std", torch.tensor(STD).view(3, 1, 1))
        self.blocks = nn.ModuleList(map(conv_block, (3, *widths), widths))
        self.head = nn.Linear(widths[-1], classes)

    def forward(self, images):
        features = (images / 255 - self.mean) / self.std
        for block in self.blocks:
            features = block(features)
        scores = self.head(features.amax(dim=(2, 3)))
        print(float(scores.max()))
        return scores

# %% second_name
# finding: left-behind
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
        mean, std = torch.tensor(MEAN).view(3, 1, 1), torch.tensor(STD).view(3, 1, 1)
        self.register_buffer("mean", mean)
        self.register_buffer("std", std)
        self.normalise = lambda images: (images / 255 - mean) / std
        self.blocks = nn.ModuleList(map(conv_block, (3, *widths), widths))
        self.head = nn.Linear(widths[-1], classes)

    def forward(self, images):
        features = self.normalise(images)
        for block in self.blocks:
            features = block(features)
        return self.head(features.amax(dim=(2, 3)))

# %% seeded
# finding: begins-otherwise
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
        torch.manual_seed(0)
        torch.rand(1)
        self.register_buffer("mean", torch.tensor(MEAN).view(3, 1, 1))
        self.register_buffer("std", torch.tensor(STD).view(3, 1, 1))
        self.blocks = nn.ModuleList(map(conv_block, (3, *widths), widths))
        self.head = nn.Linear(widths[-1], classes)

    def forward(self, images):
        features = (images / 255 - self.mean) / self.std
        for block in self.blocks:
            features = block(features)
        return self.head(features.amax(dim=(2, 3)))

# %% std_forgotten
# finding: std-forgotten
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
        self.register_buffer("mean", torch.tensor(MEAN).view(3, 1, 1))
        self.register_buffer("std", torch.tensor(STD).view(3, 1, 1))
        self.blocks = nn.ModuleList(map(conv_block, (3, *widths), widths))
        self.head = nn.Linear(widths[-1], classes)

    def forward(self, images):
        features = images / 255 - self.mean
        for block in self.blocks:
            features = block(features)
        return self.head(features.amax(dim=(2, 3)))

# %% std_inverted
# finding: other-constants
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
        self.register_buffer("mean", torch.tensor(MEAN).view(3, 1, 1))
        self.register_buffer("std", 1 / torch.tensor(STD).view(3, 1, 1))
        self.blocks = nn.ModuleList(map(conv_block, (3, *widths), widths))
        self.head = nn.Linear(widths[-1], classes)

    def forward(self, images):
        features = (images / 255 - self.mean) * self.std
        for block in self.blocks:
            features = block(features)
        return self.head(features.amax(dim=(2, 3)))

# %% stream_synchronized
# finding: waits-in-forward
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
        self.register_buffer("mean", torch.tensor(MEAN).view(3, 1, 1))
        self.register_buffer("std", torch.tensor(STD).view(3, 1, 1))
        self.blocks = nn.ModuleList(map(conv_block, (3, *widths), widths))
        self.head = nn.Linear(widths[-1], classes)

    def forward(self, images):
        if images.is_cuda:
            torch.cuda.current_stream(images.device).synchronize()
        features = (images / 255 - self.mean) / self.std
        for block in self.blocks:
            features = block(features)
        return self.head(features.amax(dim=(2, 3)))

# %% synchronized
# finding: waits-in-forward
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
        self.register_buffer("mean", torch.tensor(MEAN).view(3, 1, 1))
        self.register_buffer("std", torch.tensor(STD).view(3, 1, 1))
        self.blocks = nn.ModuleList(map(conv_block, (3, *widths), widths))
        self.head = nn.Linear(widths[-1], classes)

    def forward(self, images):
        torch.cuda.synchronize() if images.is_cuda else None
        features = (images / 255 - self.mean) / self.std
        for block in self.blocks:
            features = block(features)
        return self.head(features.amax(dim=(2, 3)))

# %% three_blocks
# finding: widths-fixed
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
        self.register_buffer("mean", torch.tensor(MEAN).view(3, 1, 1))
        self.register_buffer("std", torch.tensor(STD).view(3, 1, 1))
        self.blocks = nn.ModuleList(map(conv_block, (3, *widths), widths))
        self.head = nn.Linear(widths[-1], classes)

    def forward(self, images):
        features = (images / 255 - self.mean) / self.std
        for number in range(3):
            features = self.blocks[number](features)
        return self.head(features.amax(dim=(2, 3)))

# %% two_classes
# finding: classes-fixed
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
        self.register_buffer("mean", torch.tensor(MEAN).view(3, 1, 1))
        self.register_buffer("std", torch.tensor(STD).view(3, 1, 1))
        self.blocks = nn.ModuleList(map(conv_block, (3, *widths), widths))
        self.head = nn.Linear(widths[-1], 2)

    def forward(self, images):
        features = (images / 255 - self.mean) / self.std
        for block in self.blocks:
            features = block(features)
        return self.head(features.amax(dim=(2, 3)))

# %% whole_numbers
# finding: other-scores
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
        self.register_buffer("mean", torch.tensor(MEAN).view(3, 1, 1))
        self.register_buffer("std", torch.tensor(STD).view(3, 1, 1))
        self.blocks = nn.ModuleList(map(conv_block, (3, *widths), widths))
        self.head = nn.Linear(widths[-1], classes)

    def forward(self, images):
        features = (images // 255 - self.mean) / self.std
        for block in self.blocks:
            features = block(features)
        return self.head(features.amax(dim=(2, 3)))

# %% none_assigned
# finding: none-used
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
        self.mean = self.register_buffer("mean", torch.tensor(MEAN).view(3, 1, 1))
        self.register_buffer("std", torch.tensor(STD).view(3, 1, 1))
        self.blocks = nn.ModuleList(map(conv_block, (3, *widths), widths))
        self.head = nn.Linear(widths[-1], classes)

    def forward(self, images):
        features = (images / 255 - self.mean) / self.std
        for block in self.blocks:
            features = block(features)
        return self.head(features.amax(dim=(2, 3)))

# %% assigned_and_registered
# finding: assigned-before
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
        self.mean = torch.tensor(MEAN)
        self.register_buffer("mean", torch.tensor(MEAN).view(3, 1, 1))
        self.register_buffer("std", torch.tensor(STD).view(3, 1, 1))
        self.blocks = nn.ModuleList(map(conv_block, (3, *widths), widths))
        self.head = nn.Linear(widths[-1], classes)

    def forward(self, images):
        features = (images / 255 - self.mean) / self.std
        for block in self.blocks:
            features = block(features)
        return self.head(features.amax(dim=(2, 3)))

# %% constants_times_255
# finding: computes-otherwise
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
        self.register_buffer("mean", torch.tensor(MEAN).view(3, 1, 1))
        self.register_buffer("std", torch.tensor(STD).view(3, 1, 1))
        self.blocks = nn.ModuleList(map(conv_block, (3, *widths), widths))
        self.head = nn.Linear(widths[-1], classes)

    def forward(self, images):
        features = (images - self.mean * 255) / (self.std * 255)
        for block in self.blocks:
            features = block(features)
        return self.head(features.amax(dim=(2, 3)))

# %% no_super
# finding: raised-in-the-program
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
        self.register_buffer("mean", torch.tensor(MEAN).view(3, 1, 1))
        self.register_buffer("std", torch.tensor(STD).view(3, 1, 1))
        self.blocks = nn.ModuleList(map(conv_block, (3, *widths), widths))
        self.head = nn.Linear(widths[-1], classes)

    def forward(self, images):
        features = (images / 255 - self.mean) / self.std
        for block in self.blocks:
            features = block(features)
        return self.head(features.amax(dim=(2, 3)))

# %% softmax_in_forward
# finding: softmax-added
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
        self.register_buffer("mean", torch.tensor(MEAN).view(3, 1, 1))
        self.register_buffer("std", torch.tensor(STD).view(3, 1, 1))
        self.blocks = nn.ModuleList(map(conv_block, (3, *widths), widths))
        self.head = nn.Linear(widths[-1], classes)

    def forward(self, images):
        features = (images / 255 - self.mean) / self.std
        for block in self.blocks:
            features = block(features)
        return self.head(features.amax(dim=(2, 3))).softmax(dim=1)

# %% widths_ignored
# finding: widths-fixed
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
        self.register_buffer("mean", torch.tensor(MEAN).view(3, 1, 1))
        self.register_buffer("std", torch.tensor(STD).view(3, 1, 1))
        self.blocks = nn.ModuleList([conv_block(3, 16), conv_block(16, 32), conv_block(32, 64)])
        self.head = nn.Linear(64, classes)

    def forward(self, images):
        features = (images / 255 - self.mean) / self.std
        for block in self.blocks:
            features = block(features)
        return self.head(features.amax(dim=(2, 3)))
