import torch


def fix_mismatch(batches, targets, weight, mean):
    with weight.device:
        total = torch.zeros(1)
    shift = mean.to(weight) @ weight
    for batch, target in zip(batches, targets):
        batch, target = batch.to(weight.device), target.to(weight.device)
        error = batch @ weight - shift - target
        total = total + (error * error).mean()
    return total / len(batches)
