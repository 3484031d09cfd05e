# happened = "One exercise was left as it was."
# points = {fix_mismatch = 0}
# %% fix_mismatch
import torch


def fix_mismatch(batches, targets, weight, mean):
    """Return the mean squared error over all batches, on the device of `weight`."""
    # YOUR CODE HERE
    raise NotImplementedError()
