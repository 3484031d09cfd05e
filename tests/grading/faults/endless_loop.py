# happened = "A cell never ends."
# %% before mend_mismatch
count = 0
while True:
    count += 1
