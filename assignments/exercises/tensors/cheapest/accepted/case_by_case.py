def cheapest(a, b):
    if a.device == b.device:
        return a + b
    if a.device.type == "cpu" and a.ndim == 0 or b.device.type == "cpu" and b.ndim == 0:
        return a + b
    if a.nbytes < b.nbytes:
        return a.to(b.device) + b
    return a + b.to(a.device)
