import torch
import torch.distributed as dist


def average_gradients(model, samples):
    trained = [p for p in model.parameters() if p.requires_grad]
    pieces = [(torch.zeros_like(p) if p.grad is None else p.grad).flatten() for p in trained]
    bucket = torch.cat([*pieces, torch.ones(1)]) * samples
    dist.all_reduce(bucket)
    bucket = bucket[:-1] / bucket[-1]
    for parameter, piece in zip(trained, bucket.split([p.numel() for p in trained])):
        parameter.grad = piece.view_as(parameter).clone()
