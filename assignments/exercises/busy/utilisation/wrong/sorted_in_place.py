# finding: input-changed
def utilisation(kernels, start, end):
    kernels.sort()
    busy, until = 0, start
    for begin, stop in kernels:
        begin, stop = max(begin, until), min(stop, end)
        if stop > begin:
            busy += stop - begin
            until = stop
    return busy / (end - start)
