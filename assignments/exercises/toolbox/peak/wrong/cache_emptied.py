# finding: earlier-counted
import torch


def peak(step, device):
    before = torch.cuda.memory_allocated(device)
    torch.cuda.empty_cache()
    step()
    return torch.cuda.max_memory_allocated(device) - before
