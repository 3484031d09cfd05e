# finding: microseconds
def utilisation(kernels, start, end):
    return sum(any(a <= t < b for a, b in kernels) for t in range(start, end))
