# finding: frozen-got-one
import torch


def average_gradients(model, samples, dist):
    total = torch.tensor(float(samples))
    dist.all_reduce(total)
    for parameter in model.parameters():
        if parameter.grad is None:
            parameter.grad = torch.ones_like(parameter) * (not parameter.requires_grad)
        parameter.grad *= samples / total.item()
        dist.all_reduce(parameter.grad)
