# finding: other-number-of-calls
import statistics
import time

import torch


def time_on_gpu(work, repeats, clock=time.perf_counter, synchronize=torch.cuda.synchronize):
    for _ in range(3):
        work()
    timings = []
    for _ in range(repeats):
        synchronize()
        start = clock()
        work()
        synchronize()
        timings.append(clock() - start)
    return statistics.median(timings)
