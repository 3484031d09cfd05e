def split_sizes(shape, gpus, dim):
    import math
    part = float(math.ceil(shape[dim] / gpus))
    left, sizes = float(shape[dim]), []
    while left > 0:
        sizes.append(min(part, left))
        left -= part
    return sizes
