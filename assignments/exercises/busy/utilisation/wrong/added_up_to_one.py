# finding: overlap-counted-twice
def utilisation(kernels, start, end):
    busy = sum(max(0, min(b, end) - max(a, start)) for a, b in kernels)
    return min(1, busy / (end - start))
