# finding: too-few-steps
import torch
from torch import nn


def train_epoch(model, loader, optimizer):
    model.train()
    optimizer.zero_grad()
    shared = isinstance(model, nn.DataParallel)
    device = next(model.parameters()).device
    total, samples = 0, 0
    for batch, targets in loader:
        outputs = model(batch if shared else batch.to(device))
        loss = nn.functional.mse_loss(outputs, targets.to(outputs.device))
        loss.backward()
        total = total + loss.detach() * len(batch)
        samples += len(batch)
    optimizer.step()
    return (total / samples).item()
