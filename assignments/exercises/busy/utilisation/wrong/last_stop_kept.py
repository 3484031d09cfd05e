# finding: kernel-inside-another
def utilisation(kernels, start, end):
    busy, until = 0, start
    for begin, stop in sorted(kernels):
        begin, stop = max(begin, until), min(stop, end)
        busy += max(0, stop - begin)
        until = stop
    return busy / (end - start)
