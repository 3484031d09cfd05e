# finding: rest-counted
import torch


def peak(step, device):
    before = torch.cuda.memory_allocated(device)
    step()
    return torch.cuda.memory_allocated(device) - before
