import torch


def timed(work, device):
    with torch.cuda.device(device):
        work()
        torch.cuda.synchronize()
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        work()
        end.record()
        while not end.query():
            pass
        return start.elapsed_time(end)
