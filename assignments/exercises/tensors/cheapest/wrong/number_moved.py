# finding: number-can-stay
def cheapest(a, b):
    if a.nbytes < b.nbytes:
        return a.to(b.device) + b
    return a + b.to(a.device)
