# finding: memory-error-left
def largest_batch(step, most):
    low, high = 0, most + 1
    while high - low > 1:
        middle = (low + high) // 2
        if step(middle) is None:
            low = middle
        else:
            high = middle
    return low
