# finding: nothing-returned
def utilisation(kernels, start, end):
    print(sum(any(a <= t < b for a, b in kernels) for t in range(start, end)) / (end - start))
