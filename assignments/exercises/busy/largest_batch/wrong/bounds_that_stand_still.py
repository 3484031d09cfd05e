# finding: never-ends
import torch

def largest_batch(step, most):
    low, high = 0, most
    while low < high:
        size = (low + high) // 2 or 1
        try:
            step(size)
            low = size
        except torch.OutOfMemoryError:
            high = size - 1
    return low
