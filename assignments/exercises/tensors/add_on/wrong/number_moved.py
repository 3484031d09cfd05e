# finding: scalar-moved
def add_on(a, b, where):
    place = {"a": a.device, "b": b.device, "cpu": "cpu"}[where]
    return a.to(place) + b.to(place)
