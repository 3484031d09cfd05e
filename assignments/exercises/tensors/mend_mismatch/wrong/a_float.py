# finding: other-form
import torch


def mend_mismatch(batches, targets, weight, mean):
    device = weight.device
    total, mean = torch.zeros(1, device=device), mean.to(device)
    for batch, target in zip(batches, targets):
        error = (batch.to(device) - mean) @ weight - target.to(device)
        total += (error * error).mean()
    return total.item() / len(batches)
