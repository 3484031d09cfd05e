# finding: powers-of-two-only
import torch


def largest_batch(step, most):
    best, size = 0, 1
    while size <= most:
        try:
            step(size)
        except torch.OutOfMemoryError:
            break
        best, size = size, size * 2
    return best
