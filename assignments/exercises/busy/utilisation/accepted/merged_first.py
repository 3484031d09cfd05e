def utilisation(kernels, start, end):
    merged = []
    for begin, stop in sorted(kernels):
        if merged and begin <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], stop)
        else:
            merged.append([begin, stop])
    return sum(max(0, min(b, end) - max(a, start)) for a, b in merged) / (end - start)
