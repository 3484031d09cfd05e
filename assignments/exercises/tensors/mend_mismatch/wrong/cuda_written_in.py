# finding: mismatch-left
import torch


def mend_mismatch(batches, targets, weight, mean):
    total = torch.zeros(1, device="cuda")
    mean = mean.to("cuda")
    for batch, target in zip(batches, targets):
        batch, target = batch.to("cuda"), target.to("cuda")
        error = (batch - mean) @ weight - target
        total += (error * error).mean()
    return total / len(batches)
