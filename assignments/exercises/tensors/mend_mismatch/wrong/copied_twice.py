# finding: needless-copy
import torch


def mend_mismatch(batches, targets, weight, mean):
    device = weight.device
    total, mean = torch.zeros(1, device=device), mean.to(device)
    for batch, target in zip(batches, targets):
        rows = batch.to(device).shape[0]
        error = (batch.to(device) - mean) @ weight - target.to(device)
        total += (error * error).sum() / rows
    return total / len(batches)
