# finding: idle-share
def utilisation(kernels, start, end):
    busy = sum(any(a <= t < b for a, b in kernels) for t in range(start, end))
    return 1 - busy / (end - start)
