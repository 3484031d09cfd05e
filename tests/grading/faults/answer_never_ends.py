# happened = "An answer computes for ever."
# points = {mend_mismatch = 0}
# %% mend_mismatch
def mend_mismatch(batches, targets, weight, mean):
    while True:
        mean = mean + 1
