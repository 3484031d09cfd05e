# finding: other-dimension
def split_sizes(shape, gpus, dim):
    part = -(-shape[0] // gpus)
    return [min(part, shape[0] - start) for start in range(0, shape[0], part)]
