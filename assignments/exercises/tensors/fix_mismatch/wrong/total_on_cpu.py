# finding: result-elsewhere
import torch


def fix_mismatch(batches, targets, weight, mean):
    total = torch.zeros(1)
    mean = mean.to(weight.device)
    for batch, target in zip(batches, targets):
        batch = batch.to(weight.device)
        error = (batch - mean) @ weight - target.to(weight.device)
        total += (error * error).mean().cpu()
    return total / len(batches)
