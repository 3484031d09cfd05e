# finding: other-form
import torch


def time_on_gpu(work, repeats, clock, synchronize):
    work()
    timings = []
    for _ in range(repeats):
        synchronize()
        start = clock()
        work()
        synchronize()
        timings.append(clock() - start)
    return torch.tensor(timings).median()
