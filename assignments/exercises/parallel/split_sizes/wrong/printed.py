# finding: nothing-returned
def split_sizes(shape, gpus, dim):
    part = -(-shape[dim] // gpus)
    print([min(part, shape[dim] - start) for start in range(0, shape[dim], part)])
