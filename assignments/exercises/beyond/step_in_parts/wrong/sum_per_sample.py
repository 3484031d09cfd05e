# finding: samples-for-elements
from torch import nn


def step_in_parts(model, optimizer, batch, targets, parts):
    optimizer.zero_grad()
    *first, last = zip(batch.chunk(parts), targets.chunk(parts))

    def backward(x, y):
        (nn.functional.mse_loss(model(x), y, reduction="sum") / len(batch)).backward()

    with model.no_sync():
        for x, y in first:
            backward(x, y)
    backward(*last)
    optimizer.step()
