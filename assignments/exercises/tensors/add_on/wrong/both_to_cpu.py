# finding: through-the-cpu
def add_on(a, b, where):
    place = {"a": a.device, "b": b.device, "cpu": "cpu"}[where]
    return (a.cpu() + b.cpu()).to(place)
