def mend_mismatch(x):
    # TODO: a third way
    return x * 2
