# finding: overlap-counted-twice
def utilisation(kernels, start, end):
    return sum(b - a for a, b in kernels) / (end - start)
