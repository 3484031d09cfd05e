import torch
import torch.nn.functional as F


def fix_mismatch(batches, targets, weight, mean):
    batches, targets = ([t.to(weight.device) for t in ts] for ts in (batches, targets))
    mean = mean.to(weight.device)
    losses = [F.mse_loss((x - mean) @ weight, y) for x, y in zip(batches, targets)]
    return torch.stack(losses).mean()
