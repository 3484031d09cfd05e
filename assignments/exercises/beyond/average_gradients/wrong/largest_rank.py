# finding: other-gradients
import torch


def average_gradients(model, samples, dist):
    most = torch.tensor(float(samples))
    dist.all_reduce(most, op=dist.ReduceOp.MAX)
    for parameter in model.parameters():
        if parameter.requires_grad:
            if parameter.grad is None:
                parameter.grad = torch.zeros_like(parameter)
            parameter.grad *= samples / most.item() / dist.get_world_size()
            dist.all_reduce(parameter.grad)
