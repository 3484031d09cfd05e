# finding: gpu-not-visible
import torch
from torch import nn


def train_epoch(model, loader, optimizer):
    """Take a step for each batch of `loader`, and return the mean loss of all samples."""
    model.train()
    shared = isinstance(model, nn.DataParallel)
    device = torch.device("cuda")
    model.to(device)
    total, samples = 0, 0
    for batch, targets in loader:
        outputs = model(batch if shared else batch.to(device))
        loss = nn.functional.mse_loss(outputs, targets.to(outputs.device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total = total + loss.detach() * len(batch)
        samples += len(batch)
    return (total / samples).item()
