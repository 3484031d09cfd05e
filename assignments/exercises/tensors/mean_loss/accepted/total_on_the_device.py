import torch


@torch.no_grad()
def mean_loss(batches, weight):
    total = torch.zeros((), device=weight.device)
    for batch in batches:
        total += (batch @ weight).square().mean()
    return float(total / len(batches))
