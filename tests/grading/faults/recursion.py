# happened = "A cell calls itself without end."
# %% before add_on
def again(n):
    return again(n + 1)


again(0)
