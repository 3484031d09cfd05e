# finding: wrapper-passed-by
from torch import nn


def parts(model, optimizer, batches):
    optimizer.zero_grad()
    for batch, targets in batches:
        (nn.functional.mse_loss(model.module(batch), targets) / len(batches)).backward()
    optimizer.step()
