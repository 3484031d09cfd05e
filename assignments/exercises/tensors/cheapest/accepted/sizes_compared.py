def cheapest(a, b):
    def size(x):
        return x.numel() * x.element_size() if x.dim() or x.is_cuda else 0

    here, there = (a, b) if size(a) >= size(b) else (b, a)
    if size(there):
        there = there.to(here.device)
    return here + there
