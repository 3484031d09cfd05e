# finding: other-form
def cheapest(a, b):
    return a.device if a.nbytes >= b.nbytes else b.device
