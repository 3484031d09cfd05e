# happened = "An answer raises an error whose text is half a character, which no file can hold."
# points = {fix_mismatch = 0}
# %% fix_mismatch
def fix_mismatch(batches, targets, weight, mean):
    raise ValueError("\ud800")
