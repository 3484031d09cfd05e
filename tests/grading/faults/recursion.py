# happened = "A cell calls itself without end."
# %% before fix_mismatch
def again(n):
    return again(n + 1)


again(0)
