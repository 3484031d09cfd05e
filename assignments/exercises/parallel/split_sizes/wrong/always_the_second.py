# finding: other-dimension
def split_sizes(shape, gpus, dim):
    length = shape[-1] if dim else shape[0]
    part = -(-length // gpus)
    return [min(part, length - start) for start in range(0, length, part)]
