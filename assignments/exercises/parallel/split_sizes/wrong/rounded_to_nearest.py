# finding: rest-on-the-last
def split_sizes(shape, gpus, dim):
    part = max(1, round(shape[dim] / gpus))
    sizes = [part] * (gpus - 1)
    return [*sizes, shape[dim] - sum(sizes)]
