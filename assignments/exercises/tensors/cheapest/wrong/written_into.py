# finding: input-changed
def cheapest(a, b):
    if a.nbytes < b.nbytes:
        return b.add_(a.to(b.device))
    return a.add_(b.to(a.device))
