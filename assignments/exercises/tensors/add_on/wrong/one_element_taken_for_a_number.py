# finding: operand-not-exempt
def add_on(a, b, where):
    place = {"a": a.device, "b": b.device, "cpu": "cpu"}[where]
    a = a if a.numel() == 1 and not a.is_cuda else a.to(place)
    b = b if b.numel() == 1 and not b.is_cuda else b.to(place)
    return a + b
