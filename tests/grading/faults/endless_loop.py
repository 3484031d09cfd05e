# happened = "A cell never ends."
# %% before add_on
count = 0
while True:
    count += 1
