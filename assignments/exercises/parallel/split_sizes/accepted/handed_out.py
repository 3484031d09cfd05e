def split_sizes(shape, gpus, dim):
    left = shape[dim]
    part = (left + gpus - 1) // gpus
    sizes = []
    while left > 0:
        sizes.append(min(part, left))
        left -= sizes[-1]
    return sizes
