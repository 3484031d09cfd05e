# finding: other-form
def split_sizes(shape, gpus, dim):
    part = -(-shape[dim] // gpus)
    return ", ".join(str(min(part, shape[dim] - i)) for i in range(0, shape[dim], part))
