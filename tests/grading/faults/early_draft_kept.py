# happened = "An early draft of an answer is kept above the answer."
# %% before fix_mismatch
def fix_mismatch(batches, targets, weight, mean):
    return ((batches[0] - mean) @ weight - targets[0]).mean()
