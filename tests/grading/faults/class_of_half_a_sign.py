# happened = "An answer returns an object of a class whose name no file can hold."
# points = {fix_mismatch = 0}
# %% fix_mismatch
def fix_mismatch(batches, targets, weight, mean):
    return type("\ud800", (), {})()
