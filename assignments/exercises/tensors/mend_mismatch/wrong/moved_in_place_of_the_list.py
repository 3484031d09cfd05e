# finding: input-changed
import torch


def mend_mismatch(batches, targets, weight, mean):
    total = torch.zeros(1, device=weight.device)
    mean = mean.to(weight.device)
    for i in range(len(batches)):
        batches[i] = batches[i].to(weight.device)
        error = (batches[i] - mean) @ weight - targets[i].to(weight.device)
        total += (error * error).mean()
    return total / len(batches)
