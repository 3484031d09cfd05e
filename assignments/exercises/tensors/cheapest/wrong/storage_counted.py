# finding: storage-counted
def cheapest(a, b):
    def weight(x):
        return x.untyped_storage().nbytes() if x.dim() or x.is_cuda else 0

    here, there = (a, b) if weight(a) >= weight(b) else (b, a)
    return here + (there.to(here.device) if weight(there) else there)
