def mend_module(x):
    # TODO: a third way
    return x * 2
