# happened = "A bracket is missing in one answer."
# points = {mend_mismatch = 0}
# says = ["Your code raised an error. `SyntaxError`"]
# %% mend_mismatch
def mend_mismatch(batches, targets, weight, mean:
    return mean
