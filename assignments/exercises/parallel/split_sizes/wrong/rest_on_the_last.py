# finding: rest-on-the-last
def split_sizes(shape, gpus, dim):
    part = shape[dim] // gpus
    return [part] * (gpus - 1) + [shape[dim] - part * (gpus - 1)]
