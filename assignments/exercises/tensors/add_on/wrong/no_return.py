# finding: nothing-returned
def add_on(a, b, where):
    place = {"a": a.device, "b": b.device, "cpu": "cpu"}[where]
    a.to(place) + b.to(place)
