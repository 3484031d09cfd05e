# finding: too-many-calls
import torch


def largest_batch(step, most):
    for size in range(most, 0, -1):
        try:
            step(size)
            return size
        except torch.OutOfMemoryError:
            pass
    return 0
