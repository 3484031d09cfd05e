# happened = "A variable is called check."
# %% before add_on
check = [1, 2, 3]
