import time
from statistics import median

import torch


def time_on_gpu(work, repeats, clock=time.perf_counter, synchronize=torch.cuda.synchronize):
    work()
    synchronize()
    readings = [clock()]
    while len(readings) <= repeats:
        work()
        synchronize()
        readings.append(clock())
    return median(stop - start for start, stop in zip(readings, readings[1:]))
