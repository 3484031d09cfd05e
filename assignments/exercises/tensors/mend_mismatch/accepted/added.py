def mend_mismatch(x):
    # TODO: another way to solve it
    return x + x
