def mend_load(x):
    # TODO: a third way
    return x * 2
