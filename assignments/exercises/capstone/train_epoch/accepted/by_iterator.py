import torch
from torch import nn


def train_epoch(model, loader, optimizer):
    model.train()
    batches = iter(loader)
    device = next(model.parameters()).device
    losses = torch.zeros((), device=device)
    seen = 0
    for _ in range(len(loader)):
        batch, targets = next(batches)
        outputs = model(batch) if type(model) is nn.DataParallel else model(batch.to(device))
        loss = nn.functional.mse_loss(outputs, targets.to(outputs.device))
        for parameter in model.parameters():
            parameter.grad = None
        loss.backward()
        optimizer.step()
        losses += loss.detach() * batch.size(0)
        seen += batch.size(0)
    return losses.item() / seen
