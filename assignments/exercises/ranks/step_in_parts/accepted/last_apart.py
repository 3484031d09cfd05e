import torch
from torch import nn


def step_in_parts(model, optimizer, batch, targets, parts):
    optimizer.zero_grad(set_to_none=False)
    xs, ys = torch.chunk(batch, parts), torch.chunk(targets, parts)

    def backward(x, y):
        (nn.functional.mse_loss(model(x), y, reduction="sum") / targets.numel()).backward()

    with model.no_sync():
        for x, y in zip(xs[:-1], ys[:-1]):
            backward(x, y)
    backward(xs[-1], ys[-1])
    optimizer.step()
