# finding: waits-again
import torch


def mean_loss(batches, weight):
    total = torch.tensor(0.0, device=weight.device)
    for batch in batches:
        total += (batch @ weight).square().mean()
    return total.item() / len(batches)
