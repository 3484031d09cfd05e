# happened = "An answer returns an object of a class whose name no file can hold."
# points = {add_on = 0}
# %% add_on
def add_on(a, b, where):
    return type("\ud800", (), {})()
