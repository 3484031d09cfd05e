from contextlib import ExitStack

from torch import nn


def parts(model, optimizer, batches):
    optimizer.zero_grad()
    for number, (batch, targets) in enumerate(batches):
        with ExitStack() as stack:
            if number < len(batches) - 1:
                stack.enter_context(model.no_sync())
            nn.functional.mse_loss(model(batch), targets).div(len(batches)).backward()
    optimizer.step()
