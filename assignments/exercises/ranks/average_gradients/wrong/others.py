# %% empty_rank_left_with_none
# finding: no-gradient
import torch
import torch.distributed as dist


def average_gradients(model, samples):
    total = torch.tensor(float(samples))
    dist.all_reduce(total)
    for parameter in model.parameters():
        if parameter.requires_grad:
            none = parameter.grad is None
            gradient = torch.zeros_like(parameter) if none else parameter.grad
            gradient *= samples / total.item()
            dist.all_reduce(gradient)

# %% frozen_get_zeros
# finding: frozen-got-one
import torch
import torch.distributed as dist


def average_gradients(model, samples):
    total = torch.tensor(float(samples))
    dist.all_reduce(total)
    for parameter in model.parameters():
        if parameter.grad is None:
            parameter.grad = torch.zeros_like(parameter)
        parameter.grad *= samples / total.item()
        dist.all_reduce(parameter.grad)

# %% own_count
# finding: other-gradients
import torch
import torch.distributed as dist


def average_gradients(model, samples):
    for parameter in model.parameters():
        if parameter.requires_grad:
            if parameter.grad is None:
                parameter.grad = torch.zeros_like(parameter)
            parameter.grad *= samples
            dist.all_reduce(parameter.grad)
            parameter.grad /= max(samples, 1)

# %% none_multiplied
# finding: raised-on-a-rank
import torch
import torch.distributed as dist


def average_gradients(model, samples):
    total = torch.tensor(float(samples))
    dist.all_reduce(total)
    for parameter in model.parameters():
        if parameter.requires_grad:
            parameter.grad *= samples / total.item()
            dist.all_reduce(parameter.grad)

# %% on_rank_0
# finding: rank-0-alone
import torch
import torch.distributed as dist


def average_gradients(model, samples):
    total = torch.tensor(float(samples))
    dist.all_reduce(total)
    for parameter in model.parameters():
        if parameter.requires_grad:
            if parameter.grad is None:
                parameter.grad = torch.zeros_like(parameter)
            parameter.grad *= samples / total.item()
            dist.reduce(parameter.grad, dst=0)

# %% steps_too
# finding: weights-changed
import torch
import torch.distributed as dist


def average_gradients(model, samples):
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
