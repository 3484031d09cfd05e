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
