# finding: copied-away
import torch


def mend_mismatch(batches, targets, weight, mean):
    total, mean = 0.0, mean.to(weight.device)
    for batch, target in zip(batches, targets):
        error = (batch.to(weight.device) - mean) @ weight - target.to(weight.device)
        total += (error * error).mean().item()
    return torch.tensor([total / len(batches)], device=weight.device)
