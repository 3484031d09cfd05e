# finding: too-large
import torch


def largest_batch(step, most):
    low, high = 0, most
    while low < high:
        middle = (low + high) // 2
        try:
            step(middle)
            low = middle + 1
        except torch.OutOfMemoryError:
            high = middle
    return low
