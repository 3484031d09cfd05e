# finding: none-there
import torch


def average_gradients(model, samples, dist):
    total = dist.all_reduce(torch.tensor(float(samples)))
    for parameter in model.parameters():
        if parameter.requires_grad:
            none = parameter.grad is None
            gradient = torch.zeros_like(parameter) if none else parameter.grad * samples
            parameter.grad = dist.all_reduce(gradient) / total
