# finding: nothing-to-step-with
from contextlib import nullcontext

from torch import nn


def step_in_parts(model, optimizer, batch, targets, parts):
    """Make one step with the whole batch of this rank, and exchange gradients once."""
    pairs = list(zip(batch.chunk(parts), targets.chunk(parts), strict=True))
    for number, (x, y) in enumerate(pairs, start=1):
        with nullcontext() if number == len(pairs) else model.no_sync():
            loss = nn.functional.mse_loss(model(x), y) * len(x) / len(batch)
            loss.backward()
    optimizer.zero_grad()
    optimizer.step()
