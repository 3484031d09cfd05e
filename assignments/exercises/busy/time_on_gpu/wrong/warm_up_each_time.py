# finding: other-number-of-calls
import statistics


def time_on_gpu(work, repeats, clock, synchronize):
    timings = []
    for _ in range(repeats):
        work()
        synchronize()
        start = clock()
        work()
        synchronize()
        timings.append(clock() - start)
    return statistics.median(timings)
