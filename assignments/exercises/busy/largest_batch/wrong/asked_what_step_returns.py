# finding: fit-not-noticed
import torch

def largest_batch(step, most):
    fits, fails = 0, most + 1
    while fails - fits > 1:
        size = (fits + fails) // 2
        try:
            ok = step(size)
        except torch.OutOfMemoryError:
            ok = False
        if ok:
            fits = size
        else:
            fails = size
    return fits
