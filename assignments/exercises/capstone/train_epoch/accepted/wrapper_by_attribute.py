import torch
import torch.nn.functional as F


def train_epoch(model, loader, optimizer):
    model.train()
    wrapped = hasattr(model, "module")
    where = next(iter(model.parameters())).device
    total = torch.zeros((), device=where)
    for batch, targets in loader:
        samples = len(batch)
        if not wrapped:
            batch = batch.to(where)
        outputs = model(batch)
        targets = targets.to(outputs.device)
        loss = F.mse_loss(outputs, targets, reduction="sum") / targets.numel()
        model.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.detach() * samples
    return float(total) / len(loader.dataset)
