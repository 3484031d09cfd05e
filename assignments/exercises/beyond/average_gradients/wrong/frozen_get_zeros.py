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
