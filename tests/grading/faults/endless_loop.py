# happened = "A cell never ends."
# %% before fix_mismatch
count = 0
while True:
    count += 1
