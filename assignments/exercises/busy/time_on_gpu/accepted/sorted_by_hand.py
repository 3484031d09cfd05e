def time_on_gpu(work, repeats, clock, synchronize):
    def timing():
        synchronize()
        start = clock()
        work()
        synchronize()
        return clock() - start

    work()
    times = sorted(timing() for _ in range(repeats))
    middle = repeats // 2
    return times[middle] if repeats % 2 else (times[middle - 1] + times[middle]) / 2
