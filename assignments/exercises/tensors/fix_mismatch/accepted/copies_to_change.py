import torch


def fix_mismatch(batches, targets, weight, mean):
    mean = mean.to(weight.device, copy=True)
    total = torch.zeros(1, device=weight.device)
    for batch, target in zip(batches, targets):
        batch = batch.to(weight.device, copy=True)
        batch -= mean
        error = batch @ weight - target.to(weight.device, copy=True)
        total += (error * error).mean()
    return total / len(batches)
