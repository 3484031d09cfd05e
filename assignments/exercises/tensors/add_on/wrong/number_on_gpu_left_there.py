# finding: operand-not-exempt
def add_on(a, b, where):
    place = {"a": a.device, "b": b.device, "cpu": "cpu"}[where]
    a = a if a.dim() == 0 else a.to(place)
    b = b if b.dim() == 0 else b.to(place)
    return a + b
