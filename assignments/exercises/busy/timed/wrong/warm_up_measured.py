# finding: both-measured
import torch


def timed(work, device):
    with torch.cuda.device(device):
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        work()
        work()
        end.record()
        torch.cuda.synchronize()
    return start.elapsed_time(end)
