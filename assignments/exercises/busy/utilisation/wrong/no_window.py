# finding: window-forgotten
def utilisation(kernels, start, end):
    busy, until = 0, 0
    for begin, stop in sorted(kernels):
        begin = max(begin, until)
        if stop > begin:
            busy += stop - begin
            until = stop
    return busy / (end - start)
