# finding: all-equal
def split_sizes(shape, gpus, dim):
    part = -(-shape[dim] // gpus)
    return [part] * (shape[dim] // part)
