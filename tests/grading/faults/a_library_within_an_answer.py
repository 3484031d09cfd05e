# happened = "An answer imports a library that is not installed, each time it is called."
# points = {fix_mismatch = 0}
# says = ["Your code raised an error.", "No module named 'einops_of_mine'", "Leave out that import"]
# %% fix_mismatch
def fix_mismatch(batches, targets, weight, mean):
    import einops_of_mine

    return mean
