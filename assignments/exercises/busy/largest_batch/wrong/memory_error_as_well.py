# finding: other-error-caught
import torch

def largest_batch(step, most):
    fits, fails = 0, most + 1
    while fails - fits > 1:
        size = (fits + fails) // 2
        try:
            step(size)
            fits = size
        except (torch.OutOfMemoryError, MemoryError):
            fails = size
    return fits
