# finding: samples-divided
def split_sizes(shape, gpus, dim):
    return [shape[dim] / gpus] * gpus
