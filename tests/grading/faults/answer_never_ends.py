# happened = "An answer computes for ever."
# points = {add_on = 0}
# %% add_on
def add_on(a, b, where):
    while True:
        a = a + 1
