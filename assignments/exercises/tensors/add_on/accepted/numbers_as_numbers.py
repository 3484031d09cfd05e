def add_on(a, b, where):
    if where == "cpu":
        return a.cpu() + b.cpu()
    here, there = (a, b) if where == "a" else (b, a)
    if there.device.type == "cpu" and there.ndim == 0 and here.is_cuda:
        return here + there
    return here + there.to(here.device)
