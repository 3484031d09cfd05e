# finding: several-exchanges
from torch import nn


def step_in_parts(model, optimizer, batch, targets, parts):
    optimizer.zero_grad()
    for x, y in zip(batch.chunk(parts), targets.chunk(parts)):
        (nn.functional.mse_loss(model(x), y) * len(x) / len(batch)).backward()
    optimizer.step()
