# finding: sum-differs
def add_on(a, b, where):
    place = {"a": a.device, "b": b.device, "cpu": "cpu"}[where]
    a = a.to(place)
    return a + a
