import torch


def largest_batch(step, most):
    def fits(size):
        try:
            step(size)
            return True
        except torch.OutOfMemoryError:
            return False

    def search(low, high):
        if low == high:
            return low
        middle = (low + high + 1) // 2
        return search(middle, high) if fits(middle) else search(low, middle - 1)

    return search(0, most)
