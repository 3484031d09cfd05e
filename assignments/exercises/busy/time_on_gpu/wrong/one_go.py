# finding: timed-in-one-go
import statistics
import time

import torch


def time_on_gpu(work, repeats, clock=time.perf_counter, synchronize=torch.cuda.synchronize):
    work()
    synchronize()
    start = clock()
    for _ in range(repeats):
        work()
    synchronize()
    return (clock() - start) / repeats
