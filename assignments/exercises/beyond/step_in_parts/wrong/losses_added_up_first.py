# finding: parts-kept
from torch import nn


def step_in_parts(model, optimizer, batch, targets, parts):
    optimizer.zero_grad()
    loss = 0
    for x, y in zip(batch.chunk(parts), targets.chunk(parts)):
        loss = loss + nn.functional.mse_loss(model(x), y) * len(x) / len(batch)
    loss.backward()
    optimizer.step()
