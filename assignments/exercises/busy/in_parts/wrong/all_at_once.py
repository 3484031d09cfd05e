# finding: parts-kept
from torch import nn


def in_parts(model, images, targets, parts):
    nn.functional.cross_entropy(model(images), targets).backward()
