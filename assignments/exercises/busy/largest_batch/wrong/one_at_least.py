# finding: nothing-fits-not-zero
import torch


def largest_batch(step, most):
    low, high = 1, most + 1
    while high - low > 1:
        middle = (low + high) // 2
        try:
            step(middle)
            low = middle
        except torch.OutOfMemoryError:
            high = middle
    return low
