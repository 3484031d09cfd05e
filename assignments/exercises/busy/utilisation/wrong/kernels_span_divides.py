# finding: other-window
def utilisation(kernels, start, end):
    moments = set()
    for a, b in kernels:
        moments |= set(range(max(a, start), min(b, end)))
    if not moments:
        return 0.0
    return len(moments) / (max(moments) + 1 - min(moments))
