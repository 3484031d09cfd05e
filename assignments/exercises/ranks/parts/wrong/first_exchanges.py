# finding: exchange-too-early
from contextlib import nullcontext

from torch import nn


def parts(model, optimizer, batches):
    optimizer.zero_grad()
    for number, (batch, targets) in enumerate(batches):
        with model.no_sync() if number else nullcontext():
            (nn.functional.mse_loss(model(batch), targets) / len(batches)).backward()
    optimizer.step()
