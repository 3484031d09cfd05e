# %% average_operation
# finding: means-averaged
import torch


def average_gradients(model, samples, dist):
    for parameter in model.parameters():
        if parameter.requires_grad:
            if parameter.grad is None:
                parameter.grad = torch.zeros_like(parameter)
            dist.all_reduce(parameter.grad, op=dist.ReduceOp.AVG)

# %% computed_on_rank_0
# finding: result-on-one-rank
import torch


def average_gradients(model, samples, dist):
    total = torch.tensor(float(samples))
    dist.all_reduce(total)
    for parameter in model.parameters():
        if parameter.requires_grad:
            gradient = torch.zeros_like(parameter) if parameter.grad is None else parameter.grad
            weighted = gradient * samples / total.item()
            dist.all_reduce(weighted)
            if dist.get_rank() == 0:
                parameter.grad = weighted

# %% empty_rank_left_with_none
# finding: no-gradient
import torch


def average_gradients(model, samples, dist):
    total = torch.tensor(float(samples))
    dist.all_reduce(total)
    for parameter in model.parameters():
        if parameter.requires_grad:
            none = parameter.grad is None
            gradient = torch.zeros_like(parameter) if none else parameter.grad
            gradient *= samples / total.item()
            dist.all_reduce(gradient)

# %% empty_rank_returns
# finding: out-of-step
import torch


def average_gradients(model, samples, dist):
    if not samples:
        return
    total = torch.tensor(float(samples))
    dist.all_reduce(total)
    for parameter in model.parameters():
        if parameter.requires_grad:
            parameter.grad *= samples / total.item()
            dist.all_reduce(parameter.grad)

# %% first_rank_sent
# finding: one-rank-only
import torch


def average_gradients(model, samples, dist):
    for parameter in model.parameters():
        if parameter.requires_grad:
            if parameter.grad is None:
                parameter.grad = torch.zeros_like(parameter)
            dist.broadcast(parameter.grad, src=0)

# %% frozen_get_zeros
# finding: frozen-got-one
import torch


def average_gradients(model, samples, dist):
    total = torch.tensor(float(samples))
    dist.all_reduce(total)
    for parameter in model.parameters():
        if parameter.grad is None:
            parameter.grad = torch.zeros_like(parameter)
        parameter.grad *= samples / total.item()
        dist.all_reduce(parameter.grad)

# %% largest_rank
# finding: other-gradients
import torch


def average_gradients(model, samples, dist):
    most = torch.tensor(float(samples))
    dist.all_reduce(most, op=dist.ReduceOp.MAX)
    for parameter in model.parameters():
        if parameter.requires_grad:
            if parameter.grad is None:
                parameter.grad = torch.zeros_like(parameter)
            parameter.grad *= samples / most.item() / dist.get_world_size()
            dist.all_reduce(parameter.grad)

# %% none_multiplied
# finding: none-there
import torch


def average_gradients(model, samples, dist):
    total = torch.tensor(float(samples))
    dist.all_reduce(total)
    for parameter in model.parameters():
        if parameter.requires_grad:
            parameter.grad *= samples / total.item()
            dist.all_reduce(parameter.grad)

# %% number_exchanged
# finding: number-exchanged
import torch


def average_gradients(model, samples, dist):
    dist.all_reduce(samples)
    for parameter in model.parameters():
        if parameter.requires_grad:
            dist.all_reduce(parameter.grad)
            parameter.grad /= samples

# %% rank_0_only
# finding: out-of-step
import torch


def average_gradients(model, samples, dist):
    if dist.get_rank() == 0:
        total = torch.tensor(float(samples))
        dist.all_reduce(total)
    for parameter in model.parameters():
        if parameter.requires_grad:
            dist.all_reduce(parameter.grad)

# %% ranks_too
# finding: divided-twice
import torch


def average_gradients(model, samples, dist):
    total = torch.tensor(float(samples))
    dist.all_reduce(total)
    for parameter in model.parameters():
        if parameter.requires_grad:
            if parameter.grad is None:
                parameter.grad = torch.zeros_like(parameter)
            parameter.grad *= samples / total.item()
            dist.all_reduce(parameter.grad)
            parameter.grad /= dist.get_world_size()

# %% rounded_to_half
# finding: other-gradients
import torch


def average_gradients(model, samples, dist):
    total = torch.tensor(float(samples))
    dist.all_reduce(total)
    for parameter in model.parameters():
        if parameter.requires_grad:
            if parameter.grad is None:
                parameter.grad = torch.zeros_like(parameter)
            sent = (parameter.grad * samples / total.item()).half()
            dist.all_reduce(sent)
            parameter.grad = sent.float()

# %% steps_too
# finding: weights-changed
import torch


def average_gradients(model, samples, dist):
    total = torch.tensor(float(samples))
    dist.all_reduce(total)
    for parameter in model.parameters():
        if parameter.requires_grad:
            if parameter.grad is None:
                parameter.grad = torch.zeros_like(parameter)
            parameter.grad *= samples / total.item()
            dist.all_reduce(parameter.grad)
            with torch.no_grad():
                parameter -= 0.1 * parameter.grad

# %% sum_expected_back
# finding: none-there
import torch


def average_gradients(model, samples, dist):
    total = dist.all_reduce(torch.tensor(float(samples)))
    for parameter in model.parameters():
        if parameter.requires_grad:
            none = parameter.grad is None
            gradient = torch.zeros_like(parameter) if none else parameter.grad * samples
            parameter.grad = dist.all_reduce(gradient) / total

# %% sum_over_samples
# finding: not-divided
import torch


def average_gradients(model, samples, dist):
    for parameter in model.parameters():
        if parameter.requires_grad:
            if parameter.grad is None:
                parameter.grad = torch.zeros_like(parameter)
            parameter.grad *= samples
            dist.all_reduce(parameter.grad)

# %% torchs_own_group
# finding: another-group
import torch
import torch.distributed


def average_gradients(model, samples, dist):
    total = torch.tensor(float(samples))
    torch.distributed.all_reduce(total)
    for parameter in model.parameters():
        if not parameter.requires_grad:
            continue
        if parameter.grad is None:
            parameter.grad = torch.zeros_like(parameter)
        parameter.grad *= samples / total.item()
        torch.distributed.all_reduce(parameter.grad)

# %% weights_averaged
# finding: weights-changed
import torch


def average_gradients(model, samples, dist):
    total = torch.tensor(float(samples))
    dist.all_reduce(total)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter *= samples / total.item()
            dist.all_reduce(parameter)
            parameter += 1e-3
