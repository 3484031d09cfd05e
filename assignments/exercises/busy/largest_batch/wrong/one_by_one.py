# finding: too-many-calls
import torch


def largest_batch(step, most):
    for size in range(1, most + 1):
        try:
            step(size)
        except torch.OutOfMemoryError:
            return size - 1
    return most
