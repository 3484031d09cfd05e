# finding: clock-not-used
import statistics
import time

import torch


def time_on_gpu(work, repeats, clock=time.perf_counter, synchronize=torch.cuda.synchronize):
    work()
    timings = []
    for _ in range(repeats):
        synchronize()
        start = time.perf_counter()
        work()
        synchronize()
        timings.append(time.perf_counter() - start)
    return statistics.median(timings)
