# finding: number-exchanged
import torch


def average_gradients(model, samples, dist):
    dist.all_reduce(samples)
    for parameter in model.parameters():
        if parameter.requires_grad:
            dist.all_reduce(parameter.grad)
            parameter.grad /= samples
