# happened = "One exercise was left as it was."
# points = {add_on = 0}
# %% add_on
def add_on(a, b, where):
    """Return a + b, computed on the device that `where` names: "a", "b" or "cpu"."""
    # YOUR CODE HERE
    raise NotImplementedError()
