# happened = "One exercise was left as it was."
# points = {mend_mismatch = 0}
# %% mend_mismatch
import torch


def mend_mismatch(batches, targets, weight, mean):
    """Return the mean squared error over all batches, on the device of `weight`."""
    # YOUR CODE HERE
    raise NotImplementedError()
