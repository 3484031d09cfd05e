# happened = "A bracket is missing in one answer."
# points = {fix_mismatch = 0}
# says = ["Your code raised an error. `SyntaxError`"]
# %% fix_mismatch
def fix_mismatch(batches, targets, weight, mean:
    return mean
