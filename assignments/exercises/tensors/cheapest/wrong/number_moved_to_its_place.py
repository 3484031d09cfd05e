# finding: scalar-moved
def cheapest(a, b):
    def weight(x):
        return x.nbytes if x.dim() or x.is_cuda else 0

    place = a.device if weight(a) >= weight(b) else b.device
    return a.to(place) + b.to(place)
