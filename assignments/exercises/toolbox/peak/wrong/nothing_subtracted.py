# finding: whole-peak
import torch


def peak(step, device):
    torch.cuda.reset_peak_memory_stats(device)
    step()
    return torch.cuda.max_memory_allocated(device)
