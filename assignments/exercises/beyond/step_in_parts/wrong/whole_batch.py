# finding: other-parts
from torch import nn


def step_in_parts(model, optimizer, batch, targets, parts):
    optimizer.zero_grad()
    nn.functional.mse_loss(model(batch), targets).backward()
    optimizer.step()
