# finding: gradients-added-up
from contextlib import nullcontext

from torch import nn


def parts(model, optimizer, batches):
    optimizer.zero_grad()
    for number, (batch, targets) in enumerate(batches, start=1):
        with model.no_sync() if number < len(batches) else nullcontext():
            nn.functional.mse_loss(model(batch), targets).backward()
    optimizer.step()
