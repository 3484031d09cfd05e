# finding: needless-copy
def add_on(a, b, where):
    place = {"a": a.device, "b": b.device, "cpu": "cpu"}[where]
    return (a + b.to(a.device)).to(place)
