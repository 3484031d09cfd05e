# finding: synchronizes
import torch


def mean_loss(batches, weight):
    total = 0.0
    for batch in batches:
        total += (batch @ weight).square().mean()
        torch.cuda.synchronize()
    return total.item() / len(batches)
