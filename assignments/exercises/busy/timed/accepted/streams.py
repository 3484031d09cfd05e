import torch


def timed(work, device):
    stream = torch.cuda.current_stream(device)
    start = torch.cuda.Event(enable_timing=True)
    end = torch.cuda.Event(enable_timing=True)
    work()
    stream.record_event(start)
    work()
    stream.record_event(end)
    end.synchronize()
    return start.elapsed_time(end)
