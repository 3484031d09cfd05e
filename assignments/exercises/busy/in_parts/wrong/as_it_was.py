# finding: parts-weighted-equally
from torch import nn


def in_parts(model, images, targets, parts):
    for some, wanted in zip(images.chunk(parts), targets.chunk(parts), strict=True):
        loss = nn.functional.cross_entropy(model(some), wanted)
        (loss / parts).backward()
