def utilisation(kernels, start, end):
    busy = 0
    for t in range(start, end):
        busy += any(begin <= t < stop for begin, stop in kernels)
    return busy / (end - start)
