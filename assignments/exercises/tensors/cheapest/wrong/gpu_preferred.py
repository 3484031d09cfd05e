# finding: larger-moved
def cheapest(a, b):
    if a.is_cuda == b.is_cuda:
        return a + b.to(a.device) if a.nbytes >= b.nbytes else a.to(b.device) + b
    here, there = (a, b) if a.is_cuda else (b, a)
    return here + (there.to(here.device) if there.dim() else there)
