# happened = "An answer asks for more memory than there is."
# points = {fix_mismatch = 0}
# %% fix_mismatch
def fix_mismatch(batches, targets, weight, mean):
    return bytearray(64 << 30)
