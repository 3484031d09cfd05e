import torch
from torch import nn


def train_epoch(model, loader, optimizer):
    model.train(True)
    losses, sizes = [], []
    for batch, targets in loader:
        optimizer.zero_grad(set_to_none=False)
        if not isinstance(model, nn.DataParallel):
            batch = batch.to(next(model.parameters()).device, non_blocking=True)
        outputs = model(batch)
        loss = nn.MSELoss()(outputs, targets.to(outputs.device, non_blocking=True))
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
        sizes.append(len(batch))
    values = torch.stack(losses).tolist()
    return sum(value * size for value, size in zip(values, sizes)) / sum(sizes)
