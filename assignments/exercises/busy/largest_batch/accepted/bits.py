import torch


def largest_batch(step, most):
    size = 0
    for bit in reversed(range(most.bit_length())):
        larger = size + 2**bit
        if larger > most:
            continue
        try:
            step(larger)
            size = larger
        except torch.cuda.OutOfMemoryError:
            pass
    return size
