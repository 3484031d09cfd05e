# finding: larger-moved
def cheapest(a, b):
    return a + b.to(a.device)
