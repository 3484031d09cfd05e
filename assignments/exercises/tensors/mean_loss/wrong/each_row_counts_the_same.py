# finding: other-result
import torch


def mean_loss(batches, weight):
    return (torch.cat(batches) @ weight).square().mean().item()
