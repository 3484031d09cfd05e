import torch
import torch.distributed as dist


def average_gradients(model, samples):
    counts = [None] * dist.get_world_size()
    dist.all_gather_object(counts, samples)
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.requires_grad:
                own = torch.zeros_like(parameter) if not samples else parameter.grad * samples
                dist.all_reduce(own, op=dist.ReduceOp.SUM)
                parameter.grad = own / sum(counts)
