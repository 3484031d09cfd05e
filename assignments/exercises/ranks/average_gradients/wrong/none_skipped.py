# finding: out-of-step
import torch
import torch.distributed as dist


def average_gradients(model, samples):
    total = torch.tensor(float(samples))
    dist.all_reduce(total)
    for parameter in model.parameters():
        if parameter.grad is not None:
            parameter.grad *= samples / total.item()
            dist.all_reduce(parameter.grad)
