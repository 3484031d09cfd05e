# happened = "An answer computes for ever."
# points = {fix_mismatch = 0}
# %% fix_mismatch
def fix_mismatch(batches, targets, weight, mean):
    while True:
        mean = mean + 1
