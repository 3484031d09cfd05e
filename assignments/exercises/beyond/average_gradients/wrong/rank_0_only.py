# finding: out-of-step
import torch


def average_gradients(model, samples, dist):
    if dist.get_rank() == 0:
        total = torch.tensor(float(samples))
        dist.all_reduce(total)
    for parameter in model.parameters():
        if parameter.requires_grad:
            dist.all_reduce(parameter.grad)
