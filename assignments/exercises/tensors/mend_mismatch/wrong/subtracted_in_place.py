# finding: input-changed
import torch


def mend_mismatch(batches, targets, weight, mean):
    mean = mean.to(weight.device)
    total = torch.zeros(1, device=weight.device)
    for batch, target in zip(batches, targets):
        batch = batch.to(weight.device)
        batch -= mean
        error = batch @ weight - target.to(weight.device)
        total += (error * error).mean()
    return total / len(batches)
