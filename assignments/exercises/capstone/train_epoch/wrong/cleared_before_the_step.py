# finding: nothing-to-step-with
import torch
from torch import nn


def train_epoch(model, loader, optimizer):
    """Take a step for each batch of `loader`, and return the mean loss of all samples."""
    model.train()
    shared = isinstance(model, nn.DataParallel)
    device = next(model.parameters()).device
    total, samples = 0, 0
    for batch, targets in loader:
        outputs = model(batch if shared else batch.to(device))
        loss = nn.functional.mse_loss(outputs, targets.to(outputs.device))
        loss.backward()
        optimizer.zero_grad()
        optimizer.step()
        total = total + loss.detach() * len(batch)
        samples += len(batch)
    return (total / samples).item()
