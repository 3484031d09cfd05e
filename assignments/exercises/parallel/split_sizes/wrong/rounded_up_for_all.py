# finding: all-equal
def split_sizes(shape, gpus, dim):
    return [-(-shape[dim] // gpus)] * gpus
