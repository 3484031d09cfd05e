# finding: more-parts-than-gpus
def split_sizes(shape, gpus, dim):
    part = max(1, shape[dim] // gpus)
    return [min(part, shape[dim] - start) for start in range(0, shape[dim], part)]
