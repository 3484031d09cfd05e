# finding: parts-weighted-equally
from torch import nn


def in_parts(model, images, targets, parts):
    pieces = list(zip(images.chunk(parts), targets.chunk(parts)))
    for some, wanted in pieces:
        loss = nn.functional.cross_entropy(model(some), wanted)
        (loss / len(pieces)).backward()
