# happened = "A variable is called check."
# %% before mend_mismatch
check = [1, 2, 3]
