import torch
from torch import nn


def in_parts(model, images, targets, parts):
    criterion = nn.CrossEntropyLoss()
    pieces = list(zip(torch.chunk(images, parts), torch.chunk(targets, parts)))
    for some, wanted in pieces:
        loss = criterion(model(some), wanted)
        loss.backward(gradient=torch.full_like(loss, len(wanted) / len(targets)))
