# happened = "A variable is called check."
# %% before fix_mismatch
check = [1, 2, 3]
