# finding: launch-timed
import statistics
import time

import torch


def time_on_gpu(work, repeats, clock=time.perf_counter, synchronize=torch.cuda.synchronize):
    work()
    timings = []
    for _ in range(repeats):
        torch.cuda.synchronize() if torch.cuda.is_available() else None
        start = clock()
        work()
        torch.cuda.synchronize() if torch.cuda.is_available() else None
        timings.append(clock() - start)
    return statistics.median(timings)
