# finding: several-exchanges
from torch import nn


def step_in_parts(model, optimizer, batch, targets, parts):
    optimizer.zero_grad()
    pairs = list(zip(batch.chunk(parts), targets.chunk(parts)))
    for number, (x, y) in enumerate(pairs):
        loss = nn.functional.mse_loss(model(x), y) * len(x) / len(batch)
        if number < len(pairs) - 1:
            with model.no_sync():
                loss.backward()
        else:
            loss.backward()
    optimizer.step()
