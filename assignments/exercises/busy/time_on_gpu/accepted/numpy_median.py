import numpy as np


def time_on_gpu(work, repeats, clock, synchronize):
    times = np.zeros(repeats + 1)
    for i in range(repeats + 1):
        synchronize()
        before = clock()
        work()
        synchronize()
        times[i] = clock() - before
    return np.median(times[1:])
