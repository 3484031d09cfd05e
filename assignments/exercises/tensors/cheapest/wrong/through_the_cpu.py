# finding: through-the-cpu
def cheapest(a, b):
    place = a.device if a.nbytes >= b.nbytes else b.device
    return (a.cpu() + b.cpu()).to(place)
