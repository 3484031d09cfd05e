# finding: exchange-too-early
from contextlib import nullcontext

from torch import nn


def step_in_parts(model, optimizer, batch, targets, parts):
    optimizer.zero_grad()
    for number, (x, y) in enumerate(zip(batch.chunk(parts), targets.chunk(parts))):
        with model.no_sync() if number else nullcontext():
            (nn.functional.mse_loss(model(x), y) * len(x) / len(batch)).backward()
    optimizer.step()
