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
