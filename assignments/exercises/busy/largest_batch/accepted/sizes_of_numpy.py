import numpy
import torch


def largest_batch(step, most):
    sizes = numpy.arange(1, most + 1)
    low, high = 0, most
    while low < high:
        middle = (low + high) // 2
        try:
            step(sizes[middle])
        except torch.OutOfMemoryError:
            high = middle
        else:
            low = middle + 1
    return sizes[low - 1] if low else 0
