def mend_module(x):
    # TODO: another way to solve it
    return x + x
