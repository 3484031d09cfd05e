# happened = "An answer's cell imports what only Google Colab has."
# points = {fix_mismatch = 0}
# says = ["Your code raised an error. `ModuleNotFoundError: No module named 'colab_of_theirs'`", "Leave out that import"]
# %% fix_mismatch
from colab_of_theirs import files

def fix_mismatch(batches, targets, weight, mean):
    return mean
