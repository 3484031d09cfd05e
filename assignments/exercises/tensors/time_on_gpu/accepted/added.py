def time_on_gpu(x):
    # TODO: another way to solve it
    return x + x
