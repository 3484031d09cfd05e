# finding: last-part-only
from contextlib import nullcontext

from torch import nn


def parts(model, optimizer, batches):
    for number, (batch, targets) in enumerate(batches, start=1):
        optimizer.zero_grad()
        with model.no_sync() if number < len(batches) else nullcontext():
            (nn.functional.mse_loss(model(batch), targets) / len(batches)).backward()
    optimizer.step()
