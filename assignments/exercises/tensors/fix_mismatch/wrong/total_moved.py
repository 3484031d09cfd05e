# finding: moved-after-creation
import torch


def fix_mismatch(batches, targets, weight, mean):
    total = torch.zeros(1).to(weight.device)
    mean = mean.to(weight.device)
    for batch, target in zip(batches, targets):
        batch, target = batch.to(weight.device), target.to(weight.device)
        error = (batch - mean) @ weight - target
        total += (error * error).mean()
    return total / len(batches)
