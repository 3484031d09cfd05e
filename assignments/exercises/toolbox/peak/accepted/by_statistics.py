import torch


def peak(step, device):
    torch.cuda.reset_peak_memory_stats(device)
    stats = torch.cuda.memory_stats(device)
    before = stats["allocated_bytes.all.current"]
    step()
    return torch.cuda.memory_stats(device)["allocated_bytes.all.peak"] - before
