# finding: no-exchange
from torch import nn


def parts(model, optimizer, batches):
    optimizer.zero_grad()
    with model.no_sync():
        for batch, targets in batches:
            (nn.functional.mse_loss(model(batch), targets) / len(batches)).backward()
    optimizer.step()
