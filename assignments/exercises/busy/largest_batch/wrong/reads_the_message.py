# finding: other-error-caught
def largest_batch(step, most):
    low, high = 0, most + 1
    while high - low > 1:
        middle = (low + high) // 2
        try:
            step(middle)
            low = middle
        except RuntimeError as error:
            if "out of memory" not in str(error):
                raise
            high = middle
    return low
