def time_on_gpu(x):
    # TODO: a third way
    return x * 2
