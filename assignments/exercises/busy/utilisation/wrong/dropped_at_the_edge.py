# finding: cut-kernels-dropped
def utilisation(kernels, start, end):
    moments = set()
    for a, b in kernels:
        if a >= start and b <= end:
            moments |= set(range(a, b))
    return len(moments) / (end - start)
