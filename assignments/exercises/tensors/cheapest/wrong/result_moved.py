# finding: needless-copy
def cheapest(a, b):
    if a.nbytes < b.nbytes:
        return a.to(b.device) + b
    return (a.to(b.device) + b).to(a.device)
