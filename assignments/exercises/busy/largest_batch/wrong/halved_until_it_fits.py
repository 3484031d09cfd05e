# finding: stopped-too-early
import torch


def largest_batch(step, most):
    size = most
    while size:
        try:
            step(size)
            return size
        except torch.OutOfMemoryError:
            size //= 2
    return 0
