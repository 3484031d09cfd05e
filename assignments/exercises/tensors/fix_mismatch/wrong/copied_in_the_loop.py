# finding: copied-every-step
import torch


def fix_mismatch(batches, targets, weight, mean):
    total = torch.zeros(1, device=weight.device)
    for batch, target in zip(batches, targets):
        batch = batch.to(weight.device)
        error = (batch - mean.to(weight.device)) @ weight - target.to(weight.device)
        total += (error * error).mean()
    return total / len(batches)
