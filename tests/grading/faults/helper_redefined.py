# happened = "A helper of two answers is defined twice, differently."
# %% before add_on
def place(where, a, b):
    return {"a": a.device, "b": b.device, "cpu": "cpu"}[where]

# %% add_on
def add_on(a, b, where):
    device = place(where, a, b)

    def bring(x):
        return x.to(device) if x.dim() or x.is_cuda else x

    return bring(a) + bring(b)

# %% before move_batch
def place(value, device):
    return value.to(device)
