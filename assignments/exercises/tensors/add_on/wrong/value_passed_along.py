# finding: sum-differs
def add_on(a, b, where):
    if where == "cpu":
        return a.cpu() + b.cpu()
    device = a.device if where == "a" else b.device
    a, b = (x.item() if x.dim() == 0 and x.device.type == "cpu" else x.to(device) for x in (a, b))
    return a + b
