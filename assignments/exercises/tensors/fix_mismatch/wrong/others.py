# %% a_float
# finding: other-form
import torch


def fix_mismatch(batches, targets, weight, mean):
    device = weight.device
    total, mean = torch.zeros(1, device=device), mean.to(device)
    for batch, target in zip(batches, targets):
        error = (batch.to(device) - mean) @ weight - target.to(device)
        total += (error * error).mean()
    return total.item() / len(batches)

# %% computed_on_the_cpu
# finding: result-elsewhere
import torch


def fix_mismatch(batches, targets, weight, mean):
    total = torch.zeros(1)
    weight = weight.cpu()
    for batch, target in zip(batches, targets):
        error = (batch.cpu() - mean.cpu()) @ weight - target.cpu()
        total += (error * error).mean()
    return total / len(batches)

# %% copied_twice
# finding: needless-copy
import torch


def fix_mismatch(batches, targets, weight, mean):
    device = weight.device
    total, mean = torch.zeros(1, device=device), mean.to(device)
    for batch, target in zip(batches, targets):
        rows = batch.to(device).shape[0]
        error = (batch.to(device) - mean) @ weight - target.to(device)
        total += (error * error).sum() / rows
    return total / len(batches)

# %% cuda_written_in
# finding: mismatch-left
import torch


def fix_mismatch(batches, targets, weight, mean):
    total = torch.zeros(1, device="cuda")
    mean = mean.to("cuda")
    for batch, target in zip(batches, targets):
        batch, target = batch.to("cuda"), target.to("cuda")
        error = (batch - mean) @ weight - target
        total += (error * error).mean()
    return total / len(batches)

# %% current_gpu
# finding: mismatch-left
import torch


def fix_mismatch(batches, targets, weight, mean):
    mean = mean.cuda()
    total = torch.zeros(1).cuda()
    for batch, target in zip(batches, targets):
        error = (batch.cuda() - mean) @ weight - target.cuda()
        total += (error * error).mean()
    return total / len(batches)

# %% divided_by_rows
# finding: other-result
import torch


def fix_mismatch(batches, targets, weight, mean):
    device = weight.device
    x, y = torch.cat(batches).to(device), torch.cat(targets).to(device)
    return ((x - mean.to(device)) @ weight - y).pow(2).mean()

# %% item_in_every_step
# finding: copied-away
import torch


def fix_mismatch(batches, targets, weight, mean):
    total, mean = 0.0, mean.to(weight.device)
    for batch, target in zip(batches, targets):
        error = (batch.to(weight.device) - mean) @ weight - target.to(weight.device)
        total += (error * error).mean().item()
    return torch.tensor([total / len(batches)], device=weight.device)

# %% moved_in_place_of_the_list
# finding: input-changed
import torch


def fix_mismatch(batches, targets, weight, mean):
    total = torch.zeros(1, device=weight.device)
    mean = mean.to(weight.device)
    for i in range(len(batches)):
        batches[i] = batches[i].to(weight.device)
        error = (batches[i] - mean) @ weight - targets[i].to(weight.device)
        total += (error * error).mean()
    return total / len(batches)

# %% subtracted_in_place
# finding: input-changed
import torch


def fix_mismatch(batches, targets, weight, mean):
    mean = mean.to(weight.device)
    total = torch.zeros(1, device=weight.device)
    for batch, target in zip(batches, targets):
        batch = batch.to(weight.device)
        batch -= mean
        error = batch @ weight - target.to(weight.device)
        total += (error * error).mean()
    return total / len(batches)

# %% weight_moved_too
# finding: result-elsewhere
import torch


def fix_mismatch(batches, targets, weight, mean):
    total = torch.zeros(1, device="cuda")
    mean, weight = mean.to("cuda"), weight.to("cuda")
    for batch, target in zip(batches, targets):
        batch, target = batch.to("cuda"), target.to("cuda")
        error = (batch - mean) @ weight - target
        total += (error * error).mean()
    return total / len(batches)

# %% weight_to_the_cpu
# finding: copied-away
import torch


def fix_mismatch(batches, targets, weight, mean):
    total, on_cpu = torch.zeros(1), weight.cpu()
    for batch, target in zip(batches, targets):
        error = (batch - mean) @ on_cpu - target
        total += (error * error).mean()
    return total.to(weight.device) / len(batches)

# %% total_on_cpu
# finding: result-elsewhere
import torch


def fix_mismatch(batches, targets, weight, mean):
    total = torch.zeros(1)
    mean = mean.to(weight.device)
    for batch, target in zip(batches, targets):
        batch = batch.to(weight.device)
        error = (batch - mean) @ weight - target.to(weight.device)
        total += (error * error).mean().cpu()
    return total / len(batches)
