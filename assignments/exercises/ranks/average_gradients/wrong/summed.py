# finding: added-up
import torch
import torch.distributed as dist


def average_gradients(model, samples):
    for parameter in model.parameters():
        if parameter.requires_grad:
            if parameter.grad is None:
                parameter.grad = torch.zeros_like(parameter)
            dist.all_reduce(parameter.grad)
