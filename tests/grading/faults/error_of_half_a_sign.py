# happened = "An answer raises an error whose text is half a character, which no file can hold."
# points = {mend_mismatch = 0}
# %% mend_mismatch
def mend_mismatch(batches, targets, weight, mean):
    raise ValueError("\ud800")
