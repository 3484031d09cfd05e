# happened = "An answer raises an error whose text is half a character, which no file can hold."
# points = {add_on = 0}
# %% add_on
def add_on(a, b, where):
    raise ValueError("\ud800")
