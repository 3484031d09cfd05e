# finding: elements-counted
def cheapest(a, b):
    if a.numel() < b.numel():
        return a.to(b.device) + b
    return a + b.to(a.device)
