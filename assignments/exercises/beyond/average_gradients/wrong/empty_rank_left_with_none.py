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
