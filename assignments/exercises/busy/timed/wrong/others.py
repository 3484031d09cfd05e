# %% in_seconds
# finding: too-short
import torch


def timed(work, device):
    work()
    with torch.cuda.device(device):
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        work()
        end.record()
        torch.cuda.synchronize()
    return start.elapsed_time(end) / 1000

# %% the_end_event
# finding: other-form
import torch


def timed(work, device):
    work()
    with torch.cuda.device(device):
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        work()
        end.record()
        torch.cuda.synchronize()
    return end

# %% twice_the_time
# finding: other-result
import torch


def timed(work, device):
    work()
    with torch.cuda.device(device):
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        work()
        end.record()
        torch.cuda.synchronize()
    return 20 * start.elapsed_time(end)

# %% clock_of_the_cpu
# finding: other-clock
from time import perf_counter

import torch


def timed(work, device):
    work()
    torch.cuda.synchronize(device)
    begin = perf_counter()
    work()
    torch.cuda.synchronize(device)
    return (perf_counter() - begin) * 1000

# %% second_call_afterwards
# finding: first-measured
import torch


def timed(work, device):
    with torch.cuda.device(device):
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        work()
        end.record()
        work()
        torch.cuda.synchronize()
    return start.elapsed_time(end)
