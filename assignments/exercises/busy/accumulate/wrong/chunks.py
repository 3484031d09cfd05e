# finding: other-parts
from torch import nn


def accumulate(model, optimizer, batch, targets, size):
    optimizer.zero_grad()
    count = -(-len(batch) // size)
    total = 0.0
    for x, y in zip(batch.tensor_split(count), targets.tensor_split(count)):
        loss = nn.functional.mse_loss(model(x), y) * len(x) / len(batch)
        loss.backward()
        total += loss.item()
    optimizer.step()
    return total
