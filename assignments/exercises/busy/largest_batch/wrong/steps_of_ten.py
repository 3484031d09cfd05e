# finding: stopped-too-early
import torch


def largest_batch(step, most):
    low, high = 0, most + 1
    while high - low > 10:
        middle = (low + high) // 2
        try:
            step(middle)
            low = middle
        except torch.OutOfMemoryError:
            high = middle
    return low
