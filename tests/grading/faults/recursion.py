# happened = "A cell calls itself without end."
# %% before mend_mismatch
def again(n):
    return again(n + 1)


again(0)
