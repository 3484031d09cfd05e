def mend_parallel(x):
    # TODO: a third way
    return x * 2
