import torch


def largest_batch(step, most):
    """Return the largest size from 1 to most for which step(size) fits into memory, or 0."""
    ### BEGIN SOLUTION
    fits, too_large = 0, most + 1
    # Half of what is open is decided by each call.
    while too_large - fits > 1:
        size = (fits + too_large) // 2
        try:
            step(size)
        except torch.OutOfMemoryError:
            too_large = size
        else:
            fits = size
    return fits
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# def step(size):
#     print("trying", size)
#     if size > 300:
#         raise torch.OutOfMemoryError("CUDA out of memory.")
#
# print(largest_batch(step, 1000))
