# finding: empty-part
def split_sizes(shape, gpus, dim):
    part = -(-shape[dim] // gpus)
    whole, rest = divmod(shape[dim], part)
    return [part] * whole + [rest]
