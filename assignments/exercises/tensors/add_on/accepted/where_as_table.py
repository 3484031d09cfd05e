def add_on(a, b, where):
    place = {"a": a.device, "b": b.device, "cpu": "cpu"}[where]

    def bring(x):
        if x.dim() == 0 and not x.is_cuda:
            return x
        return x.to(place)

    return bring(a) + bring(b)
