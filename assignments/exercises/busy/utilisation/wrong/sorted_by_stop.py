# finding: other-share
def utilisation(kernels, start, end):
    busy, until = 0, start
    for begin, stop in sorted(kernels, key=lambda kernel: kernel[1]):
        begin, stop = max(begin, until), min(stop, end)
        if stop > begin:
            busy += stop - begin
            until = stop
    return busy / (end - start)
