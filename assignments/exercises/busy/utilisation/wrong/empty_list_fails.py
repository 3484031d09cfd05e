# finding: no-kernel
def utilisation(kernels, start, end):
    kernels = sorted(kernels)
    busy, until = 0, max(start, kernels[0][0])
    for begin, stop in kernels:
        begin, stop = max(begin, until), min(stop, end)
        if stop > begin:
            busy += stop - begin
            until = stop
    return busy / (end - start)
