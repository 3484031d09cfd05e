# happened = "An answer asks for more memory than there is."
# points = {add_on = 0}
# %% add_on
def add_on(a, b, where):
    return bytearray(64 << 30)
