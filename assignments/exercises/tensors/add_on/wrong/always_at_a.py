# finding: wrong-place
def add_on(a, b, where):
    return a + b.to(a.device)
