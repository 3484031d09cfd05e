# finding: overlap-counted-twice
def utilisation(kernels, start, end):
    return sum(max(0, min(b, end) - max(a, start)) for a, b in kernels) / (end - start)
