def mend_visible(x):
    # TODO: another way to solve it
    return x + x
