import torch


def _fits(step, size):
    try:
        step(size)
    except torch.OutOfMemoryError:
        return False
    return True


def largest_batch(step, most):
    size = 1
    while size <= most and _fits(step, size):
        size *= 2
    low, high = size // 2, min(size, most + 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _fits(step, middle) else (low, middle)
    return low
