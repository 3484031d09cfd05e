# finding: mismatch-left
import torch


def mend_mismatch(batches, targets, weight, mean):
    mean = mean.cuda()
    total = torch.zeros(1).cuda()
    for batch, target in zip(batches, targets):
        error = (batch.cuda() - mean) @ weight - target.cuda()
        total += (error * error).mean()
    return total / len(batches)
