# finding: parts-kept
from torch import nn


def in_parts(model, images, targets, parts):
    loss = 0
    for some, wanted in zip(images.chunk(parts), targets.chunk(parts)):
        loss = loss + nn.functional.cross_entropy(model(some), wanted, reduction="sum")
    (loss / len(images)).backward()
