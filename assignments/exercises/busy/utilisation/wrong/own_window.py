# finding: other-window
def utilisation(kernels, start, end):
    if not kernels:
        return 0.0
    moments = set()
    for a, b in kernels:
        moments |= set(range(a, b))
    return len(moments) / (max(b for _, b in kernels) - min(a for a, _ in kernels))
