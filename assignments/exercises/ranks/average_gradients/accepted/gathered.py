import torch
import torch.distributed as dist


def average_gradients(model, samples):
    ranks = dist.get_world_size()
    each = [torch.zeros(()) for _ in range(ranks)]
    dist.all_gather(each, torch.tensor(float(samples)))
    for parameter in filter(lambda p: p.requires_grad, model.parameters()):
        if parameter.grad is None:
            parameter.grad = torch.zeros_like(parameter)
        gradients = [torch.empty_like(parameter) for _ in range(ranks)]
        dist.all_gather(gradients, parameter.grad)
        weighted = sum(n * g for n, g in zip(each, gradients))
        parameter.grad.copy_(weighted / sum(each))
