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
