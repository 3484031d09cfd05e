# finding: copied-away
import torch


def mend_mismatch(batches, targets, weight, mean):
    total, on_cpu = torch.zeros(1), weight.cpu()
    for batch, target in zip(batches, targets):
        error = (batch - mean) @ on_cpu - target
        total += (error * error).mean()
    return total.to(weight.device) / len(batches)
