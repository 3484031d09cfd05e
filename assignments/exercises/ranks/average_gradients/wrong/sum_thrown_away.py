# finding: not-exchanged
import torch
import torch.distributed as dist


def average_gradients(model, samples):
    total = torch.tensor(float(samples))
    dist.all_reduce(total)
    for parameter in model.parameters():
        if parameter.requires_grad:
            gradient = torch.zeros_like(parameter) if parameter.grad is None else parameter.grad
            weighted = gradient * samples / total.item()
            dist.all_reduce(weighted)
