# happened = "A bracket is missing in one answer."
# points = {add_on = 0}
# %% add_on
def add_on(a, b, where:
    return a + b
