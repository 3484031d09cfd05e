# happened = "An answer's function has another name."
# points = {add_on = 0}
# %% add_on
def add_on_device(a, b, where):
    device = {"a": a.device, "b": b.device, "cpu": "cpu"}[where]

    def bring(x):
        return x.to(device) if x.dim() or x.is_cuda else x

    return bring(a) + bring(b)
