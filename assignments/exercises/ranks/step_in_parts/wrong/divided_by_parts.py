# finding: parts-weighted-equally
from contextlib import nullcontext

from torch import nn


def step_in_parts(model, optimizer, batch, targets, parts):
    optimizer.zero_grad()
    pairs = list(zip(batch.chunk(parts), targets.chunk(parts)))
    for number, (x, y) in enumerate(pairs, start=1):
        with nullcontext() if number == len(pairs) else model.no_sync():
            (nn.functional.mse_loss(model(x), y) / len(pairs)).backward()
    optimizer.step()
