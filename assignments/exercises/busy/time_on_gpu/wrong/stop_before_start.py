# finding: other-time
import statistics
import time

import torch


def time_on_gpu(work, repeats, clock=time.perf_counter, synchronize=torch.cuda.synchronize):
    work()
    timings = []
    for _ in range(repeats):
        synchronize()
        start = clock()
        work()
        synchronize()
        timings.append(clock() - start)
    return clock() - statistics.median(timings)
