import torch


def peak(step, device):
    with torch.cuda.device(device):
        torch.cuda.reset_peak_memory_stats()
        before = torch.cuda.max_memory_allocated()
        step()
        return torch.cuda.max_memory_allocated() - before
