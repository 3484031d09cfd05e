# finding: no-exchange
import torch.distributed as dist
from torch import nn


def step_in_parts(model, optimizer, batch, targets, parts):
    optimizer.zero_grad()
    with model.no_sync():
        for x, y in zip(batch.chunk(parts), targets.chunk(parts)):
            (nn.functional.mse_loss(model(x), y) * len(x) / len(batch)).backward()
    for parameter in model.parameters():
        dist.all_reduce(parameter.grad)
        parameter.grad /= dist.get_world_size()
    optimizer.step()
