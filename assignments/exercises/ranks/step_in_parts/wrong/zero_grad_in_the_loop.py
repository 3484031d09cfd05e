# finding: last-part-only
from contextlib import nullcontext

from torch import nn


def step_in_parts(model, optimizer, batch, targets, parts):
    pairs = list(zip(batch.chunk(parts), targets.chunk(parts)))
    for number, (x, y) in enumerate(pairs, start=1):
        optimizer.zero_grad()
        with nullcontext() if number == len(pairs) else model.no_sync():
            (nn.functional.mse_loss(model(x), y) * len(x) / len(batch)).backward()
    optimizer.step()
