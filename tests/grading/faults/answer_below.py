# happened = "The stub stands in its place, and the answer in a cell further down."
# says = ["Found in another cell"]
# %% add_on
def add_on(a, b, where):
    """Return a + b, computed on the device that `where` names: "a", "b" or "cpu"."""
    # YOUR CODE HERE
    raise NotImplementedError()

# %% end
def add_on(a, b, where):
    device = {"a": a.device, "b": b.device, "cpu": "cpu"}[where]

    def bring(x):
        return x.to(device) if x.dim() or x.is_cuda else x

    return bring(a) + bring(b)
