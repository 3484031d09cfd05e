# finding: result-elsewhere
import torch


def mend_mismatch(batches, targets, weight, mean):
    total = torch.zeros(1)
    weight = weight.cpu()
    for batch, target in zip(batches, targets):
        error = (batch.cpu() - mean.cpu()) @ weight - target.cpu()
        total += (error * error).mean()
    return total / len(batches)
