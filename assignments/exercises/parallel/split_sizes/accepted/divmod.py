def split_sizes(shape, gpus, dim):
    part = shape[dim] // gpus + bool(shape[dim] % gpus)
    full, rest = divmod(shape[dim], part)
    return (part,) * full + (rest,) * bool(rest)
