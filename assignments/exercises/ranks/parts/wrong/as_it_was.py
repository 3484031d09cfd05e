# finding: several-exchanges
from contextlib import nullcontext

from torch import nn


def parts(model, optimizer, batches):
    optimizer.zero_grad()
    for number, (batch, targets) in enumerate(batches, start=1):
        loss = nn.functional.mse_loss(model(batch), targets) / len(batches)
        with model.no_sync() if number < len(batches) else nullcontext():
            loss.backward()
    optimizer.step()
