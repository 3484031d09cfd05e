# finding: wrapper-passed-by
from torch import nn


def step_in_parts(model, optimizer, batch, targets, parts):
    optimizer.zero_grad()
    pairs = list(zip(batch.chunk(parts), targets.chunk(parts)))
    for number, (x, y) in enumerate(pairs, start=1):
        run = model if number == len(pairs) else model.module
        (nn.functional.mse_loss(run(x), y) * len(x) / len(batch)).backward()
    optimizer.step()
