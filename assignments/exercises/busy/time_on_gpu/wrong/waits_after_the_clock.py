# finding: launch-timed
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
        stop = clock()
        synchronize()
        timings.append(stop - start)
    return statistics.median(timings)
