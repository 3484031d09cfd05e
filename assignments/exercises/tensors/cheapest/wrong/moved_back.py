# finding: result-moved
def cheapest(a, b):
    if a.nbytes < b.nbytes:
        return (a.to(b.device) + b).to(a.device)
    return (a + b.to(a.device)).to(b.device)
