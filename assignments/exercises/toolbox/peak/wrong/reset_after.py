# finding: rest-counted
import torch


def peak(step, device):
    before = torch.cuda.memory_allocated(device)
    step()
    torch.cuda.reset_peak_memory_stats(device)
    return torch.cuda.max_memory_allocated(device) - before
