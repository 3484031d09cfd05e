# finding: added-up
from torch import nn


def in_parts(model, images, targets, parts):
    for some, wanted in zip(images.chunk(parts), targets.chunk(parts)):
        nn.functional.cross_entropy(model(some), wanted).backward()
