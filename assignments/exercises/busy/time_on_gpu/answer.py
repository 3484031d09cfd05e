import statistics
import time

import torch


def time_on_gpu(work, repeats, clock=time.perf_counter, synchronize=torch.cuda.synchronize):
    """Return the median of `repeats` timings of work(), in seconds, after one warm-up.

    clock: returns the time in seconds. synchronize: waits until the GPU is idle.
    """
    ### BEGIN SOLUTION
    work()  # the first call is slower: it initialises and loads what later calls find ready
    timings = []
    for _ in range(repeats):
        synchronize()  # or what was launched before would run inside the timing
        start = clock()
        work()
        synchronize()  # or only the launch would be timed
        timings.append(clock() - start)
    return statistics.median(timings)
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# square = torch.rand(300, 300, device=devices[0])
# print(time_on_gpu(lambda: square @ square, repeats=5), "s; the GPUs are", devices.kind)
