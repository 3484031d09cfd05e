def mend_parallel(x):
    # TODO: another way to solve it
    return x + x
