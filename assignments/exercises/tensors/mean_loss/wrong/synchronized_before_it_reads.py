# finding: synchronizes
import torch


def mean_loss(batches, weight):
    total = 0.0
    for batch in batches:
        total += (batch @ weight).square().mean()
    if weight.is_cuda:
        torch.cuda.current_stream(weight.device).synchronize()
    return total.item() / len(batches)
