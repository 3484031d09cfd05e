# finding: every-gpu-used
def split_sizes(shape, gpus, dim):
    part = -(-shape[dim] // gpus)
    return [max(0, min(part, shape[dim] - part * gpu)) for gpu in range(gpus)]
