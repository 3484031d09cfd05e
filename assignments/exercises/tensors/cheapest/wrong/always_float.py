# finding: sum-differs
def cheapest(a, b):
    def weight(x):
        return x.nbytes if x.dim() or x.is_cuda else 0

    here, there = (a, b) if weight(a) >= weight(b) else (b, a)
    there = there.to(here.device) if weight(there) else there
    return (here + there).float()
