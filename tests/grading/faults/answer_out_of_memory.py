# happened = "An answer asks for more memory than there is."
# points = {mend_mismatch = 0}
# %% mend_mismatch
def mend_mismatch(batches, targets, weight, mean):
    return bytearray(64 << 30)
