import torch


def fix_mismatch(batches, targets, weight, mean):
    device = weight.device
    batches = [batch.to(device) for batch in batches]
    targets = [target.to(device) for target in targets]
    error = (torch.cat(batches) - mean.to(device)) @ weight - torch.cat(targets)
    parts = error.square().split([len(batch) for batch in batches])
    return sum(part.mean() for part in parts) / len(batches)
