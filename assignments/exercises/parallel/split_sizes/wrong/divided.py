# finding: wrong-form
def split_sizes(shape, gpus, dim):
    return [shape[dim] / gpus] * gpus
