def utilisation(kernels, start, end):
    busy = set()
    for begin, stop in kernels:
        busy |= set(range(max(begin, start), min(stop, end)))
    return len(busy) / (end - start)
