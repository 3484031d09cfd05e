# %% copies_to_change
import torch


def fix_mismatch(batches, targets, weight, mean):
    mean = mean.to(weight.device, copy=True)
    total = torch.zeros(1, device=weight.device)
    for batch, target in zip(batches, targets):
        batch = batch.to(weight.device, copy=True)
        batch -= mean
        error = batch @ weight - target.to(weight.device, copy=True)
        total += (error * error).mean()
    return total / len(batches)

# %% joined_and_split
import torch


def fix_mismatch(batches, targets, weight, mean):
    device = weight.device
    batches = [batch.to(device) for batch in batches]
    targets = [target.to(device) for target in targets]
    error = (torch.cat(batches) - mean.to(device)) @ weight - torch.cat(targets)
    parts = error.square().split([len(batch) for batch in batches])
    return sum(part.mean() for part in parts) / len(batches)

# %% sum_of_means
def fix_mismatch(batches, targets, weight, mean):
    device = weight.device
    mean = mean.to(device)
    errors = []
    for i in range(len(batches)):
        prediction = (batches[i].to(device) - mean) @ weight
        errors.append((prediction - targets[i].to(device)).pow(2).mean())
    return sum(errors) / len(errors)
