# finding: gaps-counted
def utilisation(kernels, start, end):
    if not kernels:
        return 0
    first = max(start, min(a for a, _ in kernels))
    last = min(end, max(b for _, b in kernels))
    return (last - first) / (end - start)
