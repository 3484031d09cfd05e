import bisect

import torch


def largest_batch(step, most):
    def too_large(size):
        try:
            step(size)
        except torch.OutOfMemoryError:
            return True
        return False

    return bisect.bisect_left(range(1, most + 1), True, key=too_large)
