def mend_load(x):
    # TODO: another way to solve it
    return x + x
